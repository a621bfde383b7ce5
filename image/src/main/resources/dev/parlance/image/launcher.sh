#!/bin/sh
# Starts Parlance from its archive with the Java that came along. Needs a shell and nothing else: no JDK, no PATH.
#
#   PARLANCE_JAVA_OPTS   further JVM flags; they come last, so they win (-Xmx512m ...)
#
# Everything this script itself says goes to stderr: stdout belongs to the command.
set -eu
self=$0
if [ -L "$self" ]; then
  for readlink in /usr/bin/readlink /bin/readlink; do
    if [ -x "$readlink" ]; then self=$("$readlink" -f "$0"); break; fi
  done
fi
case $self in */*) ;; *) self=./$self ;; esac
home=$(cd -- "${self%/*}/.." && pwd -P)

main=dev.parlance.cli.Main
flags='-XX:+UseSerialGC --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
  -Dio.netty.jfr.enabled=false -Dfile.encoding=UTF-8 -Djdk.reflect.useNativeAccessorOnly=true'
case ${1:-} in
  proxy)
    # glibc gives every thread an arena of its own; one is enough and keeps the footprint small
    export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"
    flags="@PROXY_FLAGS@"
    case $#:${2:-}:${4:-} in 3:--config: | 4:--config:--stop-on-stdin-close) main=dev.parlance.cli.run.ProxyMain ;; esac
    ;;
  control)
    case ${2:-} in
      token | keys) flags="$flags -Xmx512m -XX:TieredStopAtLevel=1" ;;
      *)
        export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
        # what outlives two collections is the ledger's state; copying it fifteen times is a pause
        flags="$flags -Xmx1g -XX:MaxTenuringThreshold=2 -XX:+ExitOnOutOfMemoryError -Dparlance.log.level=info"
        ;;
    esac
    ;;
  run) flags="$flags -Xmx512m -XX:TieredStopAtLevel=1 -Dparlance.log.level=info" ;;
  demo)
    flags="$flags -Xmx512m -XX:TieredStopAtLevel=1"
    # its sidecars and its control plane do too little for the second compiler to pay
    export PARLANCE_JAVA_OPTS="-XX:TieredStopAtLevel=1 ${PARLANCE_JAVA_OPTS:-}"
    ;;
  simulate | ledger) flags="$flags -Xmx1g" ;;
  *) flags="$flags -Xmx512m -XX:TieredStopAtLevel=1" ;;
esac
# The JVM cannot tell which of its streams are terminals, nor how wide they are.
unset PARLANCE_STDIN_IS_TERMINAL PARLANCE_STDERR_IS_TERMINAL PARLANCE_COLUMNS
if [ -t 0 ]; then export PARLANCE_STDIN_IS_TERMINAL=1; fi
if [ -t 2 ]; then export PARLANCE_STDERR_IS_TERMINAL=1; fi
if [ -t 1 ] && size=$(stty size 2>/dev/null <&1); then export PARLANCE_COLUMNS="${size#* }"; fi
# The encoder's runtime must not call anybody; the version that is used cannot anyway.
export ORT_DISABLE_TELEMETRY=1 PARLANCE_HOME="$home"
set -f
# shellcheck disable=SC2086 # lists of flags
exec "$home/java/bin/java" $flags "-Djava.library.path=$home/native" "-Dorg.sqlite.lib.path=$home/native" \
  "-Donnxruntime.native.path=$home/native" "-Dparlance.models=$home/models" ${PARLANCE_JAVA_OPTS:-} -cp "$home/lib/parlance-cli.jar:$home/lib/*" "$main" "$@"

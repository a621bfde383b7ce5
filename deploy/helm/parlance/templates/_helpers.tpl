{{/* Labels of every object. */}}
{{- define "parlance.labels" -}}
{{ include "parlance.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: parlance
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Labels by which services and policies find pods; they never change. */}}
{{- define "parlance.selector" -}}
app.kubernetes.io/name: parlance
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "parlance.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* The control plane's: where it is to use all-MiniLM-L6-v2, the image that has it. */}}
{{- define "parlance.controlImage" -}}
{{- $control := .Values.controlPlane -}}
{{- $isMiniLm := eq (dig "rounds" "encoder" "" $control.config | toString) "minilm" -}}
{{- if $control.image -}}
{{ $control.image }}
{{- else if and $isMiniLm .Values.image.digest -}}
{{- fail "controlPlane.config.rounds.encoder: minilm needs an image that has it; with image.digest name it in controlPlane.image" -}}
{{- else -}}
{{ include "parlance.image" . }}{{ if $isMiniLm }}-minilm{{ end }}
{{- end -}}
{{- end }}

{{/* What every pod of the chart is: the Pod Security Standard "restricted". */}}
{{- define "parlance.podSecurity" -}}
runAsNonRoot: true
runAsUser: 2717
runAsGroup: 2717
fsGroup: 2717
# Only an empty volume is given to the group: a second pass would open the key files to it.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "parlance.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Where pods of one component may run: apart from each other by default. */}}
{{- define "parlance.placement" -}}
{{- with .part.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .part.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .part.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
affinity:
  {{- if .part.affinity }}
  {{- toYaml .part.affinity | nindent 2 }}
  {{- else }}
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- include "parlance.selector" . | nindent 14 }}
  {{- end }}
topologySpreadConstraints:
  {{- if .part.topologySpreadConstraints }}
  {{- toYaml .part.topologySpreadConstraints | nindent 2 }}
  {{- else }}
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "parlance.selector" . | nindent 8 }}
  {{- end }}
{{- end }}

{{- define "parlance.pullSecrets" -}}
{{- with .Values.image.pullSecrets -}}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "parlance.postgresql" -}}
{{- if eq .Values.controlPlane.store.type "postgresql" }}true{{ end -}}
{{- end }}

{{/* The Secret with the certificate of the control plane; empty for plain text. */}}
{{- define "parlance.control.tlsSecret" -}}
{{- if .Values.controlPlane.tls.secret -}}
{{ .Values.controlPlane.tls.secret }}
{{- else if and .Values.certManager.enabled .Values.certManager.controlPlane -}}
parlance-control-tls
{{- end -}}
{{- end }}

{{- define "parlance.control.host" -}}
parlance-control.{{ .Release.Namespace }}.svc
{{- end }}

{{/* The file of the control plane: what the chart decides, then controlPlane.config. */}}
{{- define "parlance.control.config" -}}
{{- $control := .Values.controlPlane -}}
{{- $config := dict
      "data" "/var/lib/parlance"
      "grpc" (dict "listen" (printf "%s:7070" $control.bind))
      "http" (dict "listen" (printf "%s:7071" $control.bind)) -}}
{{- if include "parlance.control.tlsSecret" . -}}
{{- $tls := dict "cert" "/etc/parlance/tls/tls.crt" "key" "/etc/parlance/tls/tls.key" -}}
{{- if $control.tls.clientCertificates -}}
{{- $_ := set $tls "clientCa" "/etc/parlance/tls/ca.crt" -}}
{{- end -}}
{{- $_ := set $config "tls" $tls -}}
{{- else -}}
{{- $_ := set $config "insecure" true -}}
{{- end -}}
{{- if $control.secret -}}
{{- $_ := set $config "keys" (dict "dir" "/etc/parlance/keys") -}}
{{- $_ := set $config "attachSecretFile" "/etc/parlance/keys/attach.secret" -}}
{{- $_ := set $config "operatorTokenFile" "/etc/parlance/keys/operator.token" -}}
{{- end -}}
{{- if include "parlance.postgresql" . -}}
{{- $postgresql := $control.store.postgresql -}}
{{- $store := dict "url" $postgresql.url "user" $postgresql.user "pool" (int $postgresql.pool) -}}
{{- if $postgresql.passwordSecret.name -}}
{{- $_ := set $store "passwordFile" "/etc/parlance/postgresql/password" -}}
{{- end -}}
{{- $_ := set $config "store" $store -}}
{{- end -}}
{{- if $control.console.enabled -}}
{{- $given := $control.console.oidc -}}
{{- $oidc := dict "issuer" $given.issuer "clientId" $given.clientId "roles" $given.roles -}}
{{- if $given.clientSecret.name -}}
{{- $_ := set $oidc "clientSecretFile" "/etc/parlance/oidc/client-secret" -}}
{{- end -}}
{{- $_ := set $config "console" (dict "listen" (printf "%s:7072" $control.bind) "url" $control.console.url "oidc" $oidc) -}}
{{- end -}}
{{- toYaml (mustMergeOverwrite $config (deepCopy $control.config)) -}}
{{- end }}

{{/* Values that would render and then not work: refused with words. */}}
{{- define "parlance.refuse" -}}
{{- $control := .Values.controlPlane -}}
{{- if $control.enabled -}}
{{- if include "parlance.postgresql" . -}}
{{- if not $control.store.postgresql.url -}}
{{- fail "controlPlane.store.postgresql.url is missing: with store.type postgresql give a URL such as jdbc:postgresql://db:5432/parlance" -}}
{{- end -}}
{{- if not $control.secret -}}
{{- fail "controlPlane.secret is missing: with PostgreSQL the replicas share keys, so make a Secret with ledger.key, core.key, attach.secret and operator.token (docs/kubernetes.md, Keys) and name it here" -}}
{{- end -}}
{{- else -}}
{{- if gt (int $control.replicas) 1 -}}
{{- fail "controlPlane.replicas is above 1 with the embedded store, which is for one process: set controlPlane.store.type to postgresql" -}}
{{- end -}}
{{- if $control.autoscaling.enabled -}}
{{- fail "controlPlane.autoscaling needs controlPlane.store.type postgresql: the embedded store is for one process" -}}
{{- end -}}
{{- end -}}
{{- if $control.console.enabled -}}
{{- $oidc := $control.console.oidc -}}
{{- if not (and $control.console.url $oidc.issuer $oidc.clientId $oidc.roles) -}}
{{- fail "controlPlane.console needs url, oidc.issuer, oidc.clientId and oidc.roles: people who come over a network log in at an issuer" -}}
{{- end -}}
{{- if or (gt (int $control.replicas) 1) $control.autoscaling.enabled -}}
{{- fail "controlPlane.console is for one replica: it shows the sidecars that are attached to its own, and sessions are in its memory" -}}
{{- end -}}
{{- end -}}
{{- if and $control.tls.clientCertificates (not (include "parlance.control.tlsSecret" .)) -}}
{{- fail "controlPlane.tls.clientCertificates needs controlPlane.tls.secret, or certManager.enabled with certManager.controlPlane" -}}
{{- end -}}
{{- end -}}
{{- if eq .Values.sidecar.identity "controlplane" -}}
{{- if not .Values.sidecar.control.keys -}}
{{- fail "sidecar.identity controlplane needs sidecar.control.keys: who attaches to no control plane has nobody to ask" -}}
{{- end -}}
{{- if and $control.enabled (not .Values.sidecar.control.target) (not (include "parlance.control.issues" .)) -}}
{{- fail "sidecar.identity controlplane needs controlPlane.config.identity.trustDomain: without it the control plane issues no identities" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.certManager.enabled (not .Values.certManager.issuerRef.name) -}}
{{- fail "certManager.issuerRef.name is missing: name the Issuer or ClusterIssuer that signs" -}}
{{- end -}}
{{- if and .Values.admissionPolicy.enabled (semverCompare "<1.30.0-0" .Capabilities.KubeVersion.Version) -}}
{{- fail (printf "admissionPolicy.enabled needs Kubernetes 1.30, this is %s" .Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- if and .Values.admissionPolicy.enabled (not .Values.injector.enabled) -}}
{{- fail "admissionPolicy.enabled without injector.enabled would refuse every pod of the labelled namespaces" -}}
{{- end -}}
{{- end }}

{{/* Whether the control plane issues identities: it has tokens reviewed for that. */}}
{{- define "parlance.control.issues" -}}
{{- $identity := .Values.controlPlane.config.identity | default dict -}}
{{- if $identity.trustDomain }}true{{ end -}}
{{- end }}

{{/* Whether sidecars attach to a control plane: they need its public keys for that. */}}
{{- define "parlance.sidecar.control" -}}
{{- if .Values.sidecar.control.keys }}true{{ end -}}
{{- end }}

{{/* Whether the injector has to read the authority of the control plane from its Secret. */}}
{{- define "parlance.sidecar.caFromSecret" -}}
{{- if and (include "parlance.sidecar.control" .) .Values.controlPlane.enabled (include "parlance.control.tlsSecret" .) (not .Values.sidecar.control.ca) }}true{{ end -}}
{{- end }}

{{/* The file of the injector. */}}
{{- define "parlance.injector.config" -}}
{{- $injector := .Values.injector -}}
{{- $sidecar := .Values.sidecar -}}
{{- $certificate := dict "mode" "self"
      "secret" "parlance-injector-tls"
      "namespace" .Release.Namespace
      "webhook" "parlance-injector"
      "dnsNames" (list (printf "parlance-injector.%s.svc" .Release.Namespace))
      "leafDays" (int $injector.certificate.leafDays)
      "caDays" (int $injector.certificate.caDays) -}}
{{- if .Values.certManager.enabled -}}
{{- $certificate = dict "mode" "files" "dir" "/etc/parlance/tls" -}}
{{- end -}}
{{- $of := dict
      "native" $sidecar.native
      "interception" $sidecar.interception
      "onPrivileged" $sidecar.onPrivileged
      "logFormat" $sidecar.logFormat
      "identity" $sidecar.identity
      "resources" (omit $sidecar.resources "cpuLimit")
      "excludeInboundPorts" $sidecar.excludeInboundPorts
      "excludeOutboundPorts" $sidecar.excludeOutboundPorts
      "config" $sidecar.config
      "overrides" $sidecar.overrides -}}
{{- with $sidecar.resources.cpuLimit -}}
{{- $_ := set (get $of "resources") "cpuLimit" . -}}
{{- end -}}
{{- if include "parlance.sidecar.control" . -}}
{{- $target := $sidecar.control.target | default (printf "%s:7070" (include "parlance.control.host" .)) -}}
{{- $control := dict "target" $target "keys" $sidecar.control.keys "clientCertificate" $sidecar.control.clientCertificate -}}
{{- if $sidecar.control.ca -}}
{{- $_ := set $control "ca" $sidecar.control.ca -}}
{{- else if include "parlance.sidecar.caFromSecret" . -}}
{{- $_ := set $control "caFile" "/etc/parlance/control-ca/ca.crt" -}}
{{- end -}}
{{- $_ := set $of "control" $control -}}
{{- end -}}
{{- toYaml (dict
      "version" 1
      "listen" (printf "%s:15443" $injector.bind)
      "health" (printf "%s:15020" $injector.bind)
      "certificate" $certificate
      "image" (dict "reference" (include "parlance.image" .) "pullPolicy" .Values.image.pullPolicy)
      "sidecar" $of) -}}
{{- end }}

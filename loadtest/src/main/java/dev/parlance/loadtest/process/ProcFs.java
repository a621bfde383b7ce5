package dev.parlance.loadtest.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads processor time and memory of a process as Linux shows them under {@code /proc}. */
public final class ProcFs {
  private static final long TICKS_PER_SECOND = ticksPerSecond();

  private ProcFs() {}

  /** User and system time so far, in microseconds (Linux counts it in ticks, usually of 10 ms). */
  public static OptionalLong cpuUs(long pid) {
    return read(Path.of("/proc", Long.toString(pid), "stat")).stream()
        .mapToLong(ProcFs::cpuTicks)
        .filter(ticks -> ticks >= 0)
        .map(ticks -> ticks * 1_000_000 / TICKS_PER_SECOND)
        .findFirst();
  }

  /** The sum for several processes; empty if one of them is gone. */
  public static OptionalLong cpuUs(long... pids) {
    long sum = 0;
    for (long pid : pids) {
      OptionalLong one = cpuUs(pid);
      if (one.isEmpty()) {
        return OptionalLong.empty();
      }
      sum += one.getAsLong();
    }
    return OptionalLong.of(sum);
  }

  /** Everything that ran on this machine so far, on all cores; time stolen by the host included. */
  public static OptionalLong machineCpuUs() {
    return read(Path.of("/proc/stat")).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith("cpu "))
        .mapToLong(ProcFs::machineTicks)
        .map(ticks -> ticks * 1_000_000 / TICKS_PER_SECOND)
        .findFirst();
  }

  /** user + nice + system + irq + softirq + steal of a "cpu" line, in ticks. */
  static long machineTicks(String line) {
    String[] fields = line.strip().split("\\s+", -1);
    long ticks = 0;
    for (int field : new int[] {1, 2, 3, 6, 7, 8}) {
      ticks += field < fields.length ? Long.parseLong(fields[field]) : 0;
    }
    return ticks;
  }

  /** Resident memory in kilobytes. */
  public static OptionalLong residentKb(long pid) {
    return read(Path.of("/proc", Long.toString(pid), "status")).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst();
  }

  /**
   * utime + stime of a stat line, in ticks. The command name may contain blanks and brackets, so
   * fields are counted from the last closing bracket; -1 if the line is too short.
   */
  static long cpuTicks(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split("\\s+", -1);
    return fields.length > 12 ? Long.parseLong(fields[11]) + Long.parseLong(fields[12]) : -1;
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty(); // the process has ended, or this is no Linux
    }
  }

  private static long ticksPerSecond() {
    return InstalledPrograms.firstLine("getconf", "CLK_TCK")
        .filter(line -> line.matches("[1-9][0-9]{0,6}"))
        .map(Long::parseLong)
        .orElse(100L);
  }
}

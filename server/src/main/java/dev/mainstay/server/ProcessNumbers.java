package dev.mainstay.server;

import dev.mainstay.server.platform.BuildInfo;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.PrometheusText;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Map;

/** The numbers of the process itself, under the names that boards of others know. */
final class ProcessNumbers {
  private static final double MILLIS = 1e3;
  private static final double NANOS = 1e9;

  private ProcessNumbers() {}

  static void write(PrometheusText text, Database.Pool pool) {
    text.family("mainstay_build_info", "gauge", "1, by the version that runs.")
        .sample("mainstay_build_info", Map.of("version", BuildInfo.version()), 1);
    text.family("process_start_time_seconds", "gauge", "When this process started.")
        .sample(
            "process_start_time_seconds",
            Map.of(),
            ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      text.family("process_cpu_seconds_total", "counter", "Time on processors.")
          .sample("process_cpu_seconds_total", Map.of(), system.getProcessCpuTime() / NANOS);
    }
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    text.family("jvm_memory_used_bytes", "gauge", "Memory in use, by which.")
        .sample("jvm_memory_used_bytes", Map.of("area", "heap"), heap.getUsed());
    text.family("jvm_memory_max_bytes", "gauge", "Memory that there is, by which.")
        .sample("jvm_memory_max_bytes", Map.of("area", "heap"), heap.getMax());
    text.family(
            "mainstay_database_connections", "gauge", "Connections to the database, by how used.")
        .sample("mainstay_database_connections", Map.of("state", "active"), pool.active())
        .sample("mainstay_database_connections", Map.of("state", "idle"), pool.idle());
    text.family(
            "mainstay_database_waiting", "gauge", "Callers that wait for a database connection.")
        .sample("mainstay_database_waiting", Map.of(), pool.waiting());
  }
}

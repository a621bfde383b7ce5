package dev.parlance.proxy.metrics;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.util.List;

/** What the machine below tells about itself. */
final class JvmGauges {
  private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getGarbageCollectorMXBeans();
  private static final List<BufferPoolMXBean> POOLS =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class);

  private JvmGauges() {}

  static double heapUsedBytes() {
    return MEMORY.getHeapMemoryUsage().getUsed();
  }

  static double heapMaxBytes() {
    return MEMORY.getHeapMemoryUsage().getMax();
  }

  static double threads() {
    return THREADS.getThreadCount();
  }

  static double gcSeconds() {
    long ms = 0;
    for (GarbageCollectorMXBean collector : COLLECTORS) {
      ms += Math.max(0, collector.getCollectionTime());
    }
    return ms / 1000.0;
  }

  /** Netty's own count where it keeps one: it may take memory past the JDK's books. */
  static double directUsedBytes() {
    long pools = 0;
    for (BufferPoolMXBean pool : POOLS) {
      if (pool.getName().equals("direct")) {
        pools += Math.max(0, pool.getMemoryUsed());
      }
    }
    return ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider provider
        ? Math.max(pools, provider.metric().usedDirectMemory())
        : pools;
  }
}

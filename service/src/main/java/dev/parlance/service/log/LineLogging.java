package dev.parlance.service.log;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The backend that SLF4J finds. Small on purpose: a sidecar starts once per pod, and a general
 * backend was a third of its start.
 */
public final class LineLogging implements SLF4JServiceProvider {
  private static final String LEVEL = "parlance.log.level";

  /** {@code json} or {@code text}, which is the default. */
  private static final String FORMAT = "parlance.log.format";

  /** The same in the environment, which is easier to set for a container. */
  private static final String FORMAT_VARIABLE = "PARLANCE_LOG_FORMAT";

  /** The newest version of SLF4J's interfaces that this was written against. */
  private static final String API_VERSION = "2.0.99";

  private final ConcurrentMap<String, LineLogger> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();
  private final Threshold threshold;
  private final boolean json;

  /** Called by SLF4J. */
  public LineLogging() {
    String level = System.getProperty(LEVEL);
    threshold = level == null ? Threshold.DEFAULT : Threshold.of(level);
    String format = System.getProperty(FORMAT, System.getenv(FORMAT_VARIABLE));
    json = "json".equalsIgnoreCase(format);
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> loggers.computeIfAbsent(name, key -> new LineLogger(key, threshold, json));
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return API_VERSION;
  }

  @Override
  public void initialize() {
    // everything is there already
  }
}

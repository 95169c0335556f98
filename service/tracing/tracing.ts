import type { Logger } from 'pino';
import type { TraceRequest } from '../../http/request-trace.ts';
import type { Config } from '../config/config.ts';

export type TracingConfig = Pick<
  Config,
  'otlpEndpoint' | 'otlpHeaders' | 'otelServiceName' | 'tracesSampler' | 'tracesSamplerRatio'
>;

export interface TracingOptions {
  config: TracingConfig;
  /** returns the version of this program */
  release: () => string;
  /** the duties of this process */
  duties: readonly string[];
  logger: Pick<Logger, 'info' | 'warn'>;
}

/** The value of an attribute of a span. */
export type AttributeValue = string | number | boolean | readonly string[];

/** An operation that is recorded. */
export interface Operation {
  /** name with few different values: `append main` */
  name: string;
  attributes: Readonly<Record<string, AttributeValue>>;
}

/**
 * Records what this process does as traces (docs/operate/monitoring.md#traces). No function throws, and none waits for
 * the export.
 */
export interface Tracing {
  request: TraceRequest;
  /** Records an operation from its call to the end of its promise, as a part of the current request if there is one. */
  during: <T>(operation: Operation, work: () => Promise<T>) => Promise<T>;
  /**
   * Records an operation that ends now, as a trace of its own.
   *
   * @param milliseconds duration
   * @param failure why the operation failed; null if it did not fail
   */
  ended: (operation: Operation, milliseconds: number, failure: string | null) => void;
  /** Exports what was recorded, within a time limit. */
  stop: () => Promise<void>;
}

import { OperatorError } from '../operator-error.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

/**
 * Starts tracing if `OTEL_EXPORTER_OTLP_ENDPOINT` is set, otherwise returns null. Only then are the packages of
 * OpenTelemetry loaded.
 *
 * @throws OperatorError the packages are not installed
 */
export const openTracing = async (options: TracingOptions): Promise<Tracing | null> => {
  const { otlpEndpoint: endpoint } = options.config;
  if (endpoint === null) return null;
  try {
    const { startTracing } = await import('./open-telemetry.ts');
    return startTracing({ ...options, endpoint });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages of OpenTelemetry are not installed. Install Uptrail without --omit=optional.',
    );
  }
};

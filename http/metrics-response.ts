import type { Registry } from 'prom-client';
import type { PreparedResponse } from './response.ts';

/**
 * Returns the metrics of checks in the text format of Prometheus.
 *
 * @param organizationId the organization whose checks the reader may see; null: the checks of all organizations
 */
export type DescribeChecks = (organizationId: string | null) => Promise<string>;

/**
 * Creates the response of `/metrics`.
 *
 * @param describeChecks returns the metrics of checks; undefined: the response contains none
 * @param organizationId see {@link DescribeChecks}
 */
export const metricsResponse = async (
  registry: Registry,
  describeChecks: DescribeChecks | undefined,
  organizationId: string | null,
): Promise<PreparedResponse> => {
  const [ofProcess, ofChecks] = await Promise.all([registry.metrics(), describeChecks?.(organizationId)]);
  return { status: 200, headers: { 'Content-Type': registry.contentType }, body: ofProcess + (ofChecks ?? '') };
};

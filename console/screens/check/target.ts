import type { Schemas } from '../../api/openapi.d.ts';

type Check = Schemas['Check'];

/** Returns the value at a path in the parameters. The value may have any type. */
const parameterAt = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined,
    value,
  );

/**
 * Returns what a check requests, in one line: `GET https://example.com/health`, `tcp example.com:22`, `A example.com`.
 */
export const targetOf = ({ type, url, host, port, parameters }: Check): string => {
  if (type === 'web' || type === 'api') {
    const method = parameterAt(parameters, 'http_request', 'method');
    return `${typeof method === 'string' ? method : 'GET'} ${url ?? ''}`;
  }
  if (type === 'dns') {
    const record = parameterAt(parameters, 'record_type');
    return `${typeof record === 'string' ? record : 'A'} ${host ?? ''}`;
  }
  const address = url ?? host ?? '';
  return `${type} ${address}${port === null ? '' : `:${port}`}`.trim();
};

/** Returns the regions of a check. If the list is empty, the check runs in the default region. */
export const regionsOf = ({ parameters }: Pick<Check, 'parameters'>): string[] => {
  const regions = parameterAt(parameters, 'regions');
  return Array.isArray(regions) ? regions.filter((one): one is string => typeof one === 'string') : [];
};

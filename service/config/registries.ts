import type { Registries } from '../../probes/engine/check-type.ts';
import type { Config } from './config.ts';

/** Returns the configured URLs of the servers that are queried first to find the registry of a domain. */
export const registriesOf = ({
  rdapBootstrapUrl,
  whoisServer,
}: Pick<Config, 'rdapBootstrapUrl' | 'whoisServer'>): Registries => ({ rdapBootstrapUrl, whoisServer });

import type { Registries } from '../../probes/engine/check-type.ts';
import type { Config } from './config.ts';

/** The configured registries that are queried first about domains. */
export const registriesOf = ({
  rdapBootstrapUrl,
  whoisServer,
}: Pick<Config, 'rdapBootstrapUrl' | 'whoisServer'>): Registries => ({ rdapBootstrapUrl, whoisServer });

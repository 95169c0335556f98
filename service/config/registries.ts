import type { Registries } from '../../probes/engine/check-type.ts';
import type { Config } from './config.ts';

/** Who is asked first for registrations of domains, by the environment. */
export const registriesOf = ({
  rdapBootstrapUrl,
  whoisServer,
}: Pick<Config, 'rdapBootstrapUrl' | 'whoisServer'>): Registries => ({ rdapBootstrapUrl, whoisServer });

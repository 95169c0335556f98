import type { CheckTypeName } from '../events.ts';

/** What a type asks of a definition, and what its run costs (decisions.md: Checks). */
export interface TypeRules {
  /** which of the two says what is watched; the other one is stored null. `script`: the URL is optional */
  target: 'url' | 'host' | 'script';
  /** a check of this type must name its port */
  portRequired: boolean;
  /** seconds */
  maxTimeout: number;
  /** charged for each run and region */
  credits: number;
}

const rules = (target: TypeRules['target'], credits: number, more: Partial<TypeRules> = {}): TypeRules => ({
  target,
  portRequired: false,
  maxTimeout: 30,
  credits,
  ...more,
});

export const typeRules: Readonly<Record<CheckTypeName, TypeRules>> = {
  web: rules('url', 1),
  api: rules('url', 1),
  tcp: rules('host', 1, { portRequired: true }),
  ssl: rules('host', 2),
  icmp: rules('host', 1),
  dns: rules('host', 1),
  portscan: rules('host', 10),
  multistep: rules('script', 5),
  synthetic: rules('script', 10, { maxTimeout: 120 }),
};

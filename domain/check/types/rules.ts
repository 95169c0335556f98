import type { CheckTypeName } from '../events.ts';

/** What a type asks of a definition (decisions.md: Checks). */
export interface TypeRules {
  /** which of the two says what is watched; the other one is stored null. `script`: the URL is optional */
  target: 'url' | 'host' | 'script';
  /** a check of this type must name its port */
  portRequired: boolean;
  /** seconds */
  maxTimeout: number;
}

const rules = (target: TypeRules['target'], more: Partial<TypeRules> = {}): TypeRules => ({
  target,
  portRequired: false,
  maxTimeout: 30,
  ...more,
});

export const typeRules: Readonly<Record<CheckTypeName, TypeRules>> = {
  web: rules('url'),
  api: rules('url'),
  tcp: rules('host', { portRequired: true }),
  ssl: rules('host'),
  icmp: rules('host'),
  dns: rules('host'),
  portscan: rules('host'),
  multistep: rules('script'),
  synthetic: rules('script', { maxTimeout: 120 }),
};

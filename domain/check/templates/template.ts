import type { CheckTypeName } from '../events.ts';

/** What a client sends to create a check; the target is an example. */
export interface TemplateDefinition {
  name: string;
  type: CheckTypeName;
  url?: string;
  host?: string;
  port?: number;
  /** seconds between runs */
  interval: number;
  /** seconds */
  timeout: number;
  parameters: Readonly<Record<string, unknown>>;
}

/** A definition to begin with. */
export interface CheckTemplate {
  id: string;
  name: string;
  description: string;
  type: CheckTypeName;
  tags: readonly string[];
  /** environment variables that its script reads: a secret is to be bound to each */
  requires_secrets: readonly string[];
  definition: TemplateDefinition;
}

type Described = Pick<CheckTemplate, 'id' | 'name' | 'description' | 'tags'>;
type Settings = Partial<Pick<TemplateDefinition, 'interval' | 'timeout'>>;

/** Of a script; what it is told by its first lines, people change to what they watch. */
interface Scripted extends Described, Settings {
  requires_secrets?: readonly string[];
  script: string;
}

const scripted =
  (type: 'synthetic' | 'multistep') =>
  ({ script, requires_secrets = [], interval = 300, timeout = 30, ...described }: Scripted): CheckTemplate => ({
    ...described,
    type,
    requires_secrets,
    definition: {
      name: described.name,
      type,
      url: 'https://example.com/',
      interval,
      timeout,
      // It begins on the line after the quotation mark.
      parameters: { pw_script: script.trimStart() },
    },
  });

/** A template whose script has a browser. */
export const inBrowser = scripted('synthetic');

/** A template whose script sends requests, without a browser. */
export const inRequests = scripted('multistep');

interface ByHost extends Described {
  type: CheckTypeName;
  interval: number;
  port?: number;
  parameters: Readonly<Record<string, unknown>>;
}

/** A template without a script, of what a host has. */
export const ofHost = ({ type, interval, port, parameters, ...described }: ByHost): CheckTemplate => ({
  ...described,
  type,
  requires_secrets: [],
  definition: {
    name: described.name,
    type,
    host: 'example.com',
    ...(port !== undefined && { port }),
    interval,
    timeout: 30,
    parameters,
  },
});

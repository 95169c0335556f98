import type { CheckTypeName } from '../events.ts';

/** The body of a request that creates a check from the template. The target is an example. */
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

/** A predefined check that users start from. */
export interface CheckTemplate {
  id: string;
  name: string;
  description: string;
  type: CheckTypeName;
  tags: readonly string[];
  /** environment variables that its script reads; a secret must be bound to each */
  requires_secrets: readonly string[];
  definition: TemplateDefinition;
}

type Described = Pick<CheckTemplate, 'id' | 'name' | 'description' | 'tags'>;
type Settings = Partial<Pick<TemplateDefinition, 'interval' | 'timeout'>>;

/** A template with a script. Users adapt the constants in its first lines. */
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
      // The script literal starts with a line break.
      parameters: { pw_script: script.trimStart() },
    },
  });

/** A template whose script controls a browser. */
export const inBrowser = scripted('synthetic');

/** A template whose script sends requests, without a browser. */
export const inRequests = scripted('multistep');

interface ByHost extends Described {
  type: CheckTypeName;
  interval: number;
  port?: number;
  parameters: Readonly<Record<string, unknown>>;
}

/** A template without a script, for a host. */
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

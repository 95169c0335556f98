import type { CheckTypeName } from '../events.ts';

/** The body of a request that creates a check from the template. Users replace the example target. */
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

/** A predefined check that users copy and adapt. */
export interface CheckTemplate {
  id: string;
  name: string;
  description: string;
  type: CheckTypeName;
  tags: readonly string[];
  /** the environment variables that the script reads; users must bind a secret to each */
  requires_secrets: readonly string[];
  definition: TemplateDefinition;
}

type Described = Pick<CheckTemplate, 'id' | 'name' | 'description' | 'tags'>;
type Settings = Partial<Pick<TemplateDefinition, 'interval' | 'timeout'>>;

/** A template with a script. Users adapt the constants in the first lines of the script. */
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
      // The template literal of a script starts with a line break, which is removed.
      parameters: { pw_script: script.trimStart() },
    },
  });

/** Defines a template whose script controls a browser. */
export const inBrowser = scripted('synthetic');

/** Defines a template whose script sends requests without a browser. */
export const inRequests = scripted('multistep');

interface ByHost extends Described {
  type: CheckTypeName;
  interval: number;
  port?: number;
  parameters: Readonly<Record<string, unknown>>;
}

/** Defines a template that has no script and whose target is a host. */
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

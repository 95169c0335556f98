import { VARIABLES } from './variables.ts';

type Variables = typeof VARIABLES;

/** What the environment says, validated; a variable that is not set has its default. */
export type Config = { readonly [K in keyof Variables]: ReturnType<Variables[K]['read']> | Default<Variables[K]> };

type Default<V> = V extends { default: string } ? never : null;

/** The environment can't be used; one sentence a line, each naming its variable. */
export class ConfigurationError extends Error {}

/**
 * Reads the configuration once, at the start. An empty variable counts as not set.
 *
 * @throws ConfigurationError
 */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const sentences: string[] = [];
  const entries = Object.entries(VARIABLES).map(([key, variable]) => {
    const given = environment[variable.name]?.trim();
    const text = given === undefined || given === '' ? ('default' in variable ? variable.default : null) : given;
    if (text === null) return [key, null];
    try {
      return [key, variable.read(text)];
    } catch (error) {
      sentences.push(`${variable.name} ${(error as Error).message}`);
      return [key, null];
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (sentences.length === 0) sentences.push(...deploymentProblems(config));
  if (sentences.length > 0) throw new ConfigurationError(sentences.join('\n'));
  return config;
};

/** A configuration of many processes on EventStoreDB and MongoDB. */
export type ClusterConfig = Config & { eventStoreDbUrl: string; mongoDbUrl: string; secretsKey: Buffer };

/** Which of the two deployments the environment has chosen (design.md: One code base, two deployments). */
export const isCluster = (config: Config): config is ClusterConfig => config.eventStoreDbUrl !== null;

const deploymentProblems = ({ eventStoreDbUrl, mongoDbUrl, secretsKey }: Config): string[] => {
  if (eventStoreDbUrl === null && mongoDbUrl === null) return [];
  if (mongoDbUrl === null) return ['EVENTSTOREDB_URL is set without MONGODB_URL. Set both or neither.'];
  if (eventStoreDbUrl === null) return ['MONGODB_URL is set without EVENTSTOREDB_URL. Set both or neither.'];
  if (secretsKey !== null) return [];
  return ['SECRETS_KEY must be set in a cluster: all of its processes need the same key.'];
};

/** The table of all variables for the README, in Markdown; a test fails when the README's is another. */
export const configurationTable = (): string => {
  const rows = Object.values(VARIABLES).map((variable) => {
    const standard = 'default' in variable ? `\`${variable.default}\`` : '';
    return `| \`${variable.name}\` | ${standard} | ${variable.meaning} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
};

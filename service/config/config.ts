import { planProblems } from './plans.ts';
import { smsGatewayProblems } from './sms-gateway.ts';
import { VARIABLES } from './variables.ts';

type Variables = typeof VARIABLES;

/**
 * The validated values of the environment variables. For a variable that is not set, the value is the default of the
 * variable, or null.
 */
export type Config = { readonly [K in keyof Variables]: ReturnType<Variables[K]['read']> | Default<Variables[K]> };

type Default<V> = V extends { default: string } ? never : null;

/** The environment is invalid. Each line of the message is a sentence that names a variable. */
export class ConfigurationError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration. Called only at the start. An empty variable counts as not set.
 *
 * @throws ConfigurationError
 */
export const readConfig = (environment: Environment): Config => {
  const config: Config = readVariables(environment, Object.keys(VARIABLES) as (keyof Config)[]);
  const problems = [...deploymentProblems(config), ...planProblems(config), ...smsGatewayProblems(config)];
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
  return config;
};

/**
 * Reads only the given variables. The other variables may be invalid.
 *
 * @throws ConfigurationError
 */
export const readVariables = <K extends keyof Config>(
  environment: Environment,
  keys: readonly K[],
): Pick<Config, K> => {
  const sentences: string[] = [];
  const entries = keys.map((key) => {
    const variable: Variables[keyof Variables] = VARIABLES[key];
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
  if (sentences.length > 0) throw new ConfigurationError(sentences.join('\n'));
  return Object.fromEntries(entries) as Pick<Config, K>;
};

/** The configuration of a cluster on EventStoreDB and MongoDB. */
export type ClusterConfig = Config & { eventStoreDbUrl: string; mongoDbUrl: string; secretsKey: Buffer };

/** Returns whether the environment configures a cluster (docs/decisions/0001-two-deployments.md). */
export const isCluster = (config: Config): config is ClusterConfig => config.eventStoreDbUrl !== null;

const deploymentProblems = ({ eventStoreDbUrl, mongoDbUrl, secretsKey }: Config): string[] => {
  if (eventStoreDbUrl === null && mongoDbUrl === null) return [];
  if (mongoDbUrl === null) return ['EVENTSTOREDB_URL is set without MONGODB_URL. Set both or neither.'];
  if (eventStoreDbUrl === null) return ['MONGODB_URL is set without EVENTSTOREDB_URL. Set both or neither.'];
  if (secretsKey !== null) return [];
  return ['SECRETS_KEY must be set in a cluster: all of its processes need the same key.'];
};

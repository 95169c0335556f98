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

const deploymentProblems = ({ eventStoreDbUrl, mongoDbUrl }: Config): string[] => {
  if (eventStoreDbUrl !== null && mongoDbUrl !== null) {
    return [
      'EVENTSTOREDB_URL and MONGODB_URL choose the cluster deployment, which this version does not have yet. Set neither to use the embedded stores.',
    ];
  }
  if (eventStoreDbUrl !== null) return ['EVENTSTOREDB_URL is set without MONGODB_URL. Set both or neither.'];
  if (mongoDbUrl !== null) return ['MONGODB_URL is set without EVENTSTOREDB_URL. Set both or neither.'];
  return [];
};

/** The table of all variables for the README, in Markdown; a test fails when the README's is another. */
export const configurationTable = (): string => {
  const rows = Object.values(VARIABLES).map((variable) => {
    const standard = 'default' in variable ? `\`${variable.default}\`` : '';
    return `| \`${variable.name}\` | ${standard} | ${variable.meaning} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
};

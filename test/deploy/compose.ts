import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { inProject, run } from './project.ts';

export interface Service {
  image?: string;
  build?: string | { context: string; target: string };
  command?: string[];
  entrypoint?: string[];
  user?: string;
  cap_drop?: string[];
  cap_add?: string[];
  sysctls?: Record<string, string>;
  profiles?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  mem_limit?: string;
  pids_limit?: number;
  environment?: Record<string, string>;
  networks?: string[];
  ports?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  stop_grace_period?: string;
}

export interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
}

export const { services, networks, volumes } = parse(inProject('compose.yaml'), { merge: true }) as Compose;
const ofUptrail = Object.entries(services).filter(([, { image }]) => image?.startsWith('uptrail'));
/** The services that run Uptrail, as started by `docker compose up`. */
export const duties = ofUptrail.filter(([, { profiles }]) => profiles === undefined);
/** The services that replace others: they have a profile, so `docker compose up` starts them on request only. */
export const alternatives = ofUptrail.filter(([, { profiles }]) => profiles !== undefined);

/** Returns the variables of the file `.env` that `deploy/secrets.sh` generates. */
export const madeEnvironment = async (): Promise<Record<string, string>> => {
  const { code, output } = await run('sh', ['deploy/secrets.sh']);
  assert.is(code, 0);
  const lines = output.trim().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
};

/**
 * Substitutes `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as Docker Compose does.
 *
 * @throws Error if a variable without default is not set
 */
export const filledIn = (text: string, environment: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, other = '') => {
    const value = environment[name];
    if (value !== undefined) return value;
    if (kind === '-') return other as string;
    throw new Error(`${name} is not set`);
  });

/** Returns the environment of a service, with the variables of `.env` substituted. */
export const environmentWith = ({ environment = {} }: Service, made: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(value, made)]));

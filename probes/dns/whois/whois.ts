import { dateOrderOf } from './date-orders.ts';
import { ownRegistryOf, topLevelOf } from './registrable-domain.ts';
import { LookupFailure, notRegistered } from './look-up-failure.ts';
import { merged, type WhoisInfo } from './whois-info.ts';
import { queryRegistryServer, type LookUpInProgress } from './query-server.ts';
import { queryPort43 } from './port-43.ts';
import { infoOfWhois, isNotRegistered, referralIn, isRateLimited } from './whois-response.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../domain/time.ts';

/**
 * Looks up a registration by WHOIS. Queries IANA for the registry of the top-level domain, then the registry, then the
 * registrar if data is missing.
 *
 * If the context's signal aborts, rejects with the signal's reason.
 *
 * @throws LookupFailure, LocalFailure
 */
export const overWhois = async (domain: string, inquiry: LookUpInProgress): Promise<WhoisInfo> => {
  const registry = ownRegistryOf(domain) ?? (await registryOf(topLevelOf(domain), inquiry));
  if (registry === null) throw new LookupFailure(`The registry of .${topLevelOf(domain)} has no WHOIS server.`);
  const text = await ask(registry, questionFor(registry, domain), inquiry);
  const info = infoOfWhois(text, domain, dateOrderOf(domain));
  if (!info) {
    if (isRateLimited(text)) throw new LookupFailure(`${registry} refuses further questions for now.`);
    if (isNotRegistered(text)) throw notRegistered(domain, registry);
    throw new LookupFailure(`${registry} gave no readable answer about ${domain}.`);
  }
  if (info.registrar !== null && info.expiration_date !== null) return info;
  const registrar = referralIn(text, ['registrar whois server', 'whois server', 'refer']);
  if (registrar === null || registrar === registry) return info;
  const more = await moreFrom(registrar, domain, inquiry);
  return more ? merged(info, more) : info;
};

/** Returns the registrar's data, whose date order is unknown; null if the registrar does not respond. */
const moreFrom = async (registrar: string, domain: string, inquiry: LookUpInProgress): Promise<WhoisInfo | null> => {
  try {
    return infoOfWhois(await ask(registrar, domain, inquiry), domain, null);
  } catch (error) {
    if (error instanceof LookupFailure) return null;
    throw error;
  }
};

/** Returns the WHOIS server of a top-level domain (cached for a day), or null if it has none (cached for an hour). */
const registryOf = async (topLevel: string, inquiry: LookUpInProgress): Promise<string | null> => {
  const { memory, registries } = inquiry.context;
  const { host } = registries.whoisServer;
  const key = `WHOIS server of ${topLevel} at ${host}`;
  const remembered = (await memory.get(key)) as string | null | undefined;
  if (remembered !== undefined) return remembered;
  const registry = referralIn(await ask(host, topLevel, inquiry), ['whois', 'refer']);
  // A response without a server may also mean that the rate limit was exceeded, so it is cached for a shorter time.
  memory.set(key, registry, registry === null ? HOUR_SECONDS : DAY_SECONDS);
  return registry;
};

/** Queries a server on the configured port only, so that a referral can't make Uptrail connect to other ports. */
const ask = (host: string, question: string, inquiry: LookUpInProgress): Promise<string> =>
  queryRegistryServer(host, inquiry, (context) =>
    queryPort43(host, context.registries.whoisServer.port, question, context),
  );

/** Servers that need a special query to return only this domain, in English and ASCII. */
const QUESTIONS: ReadonlyMap<string, (domain: string) => string> = new Map([
  ['whois.verisign-grs.com', (domain: string) => `domain ${domain}`],
  ['whois.denic.de', (domain: string) => `-T dn,ace ${domain}`],
  ['whois.jprs.jp', (domain: string) => `${domain}/e`],
]);

const questionFor = (server: string, domain: string): string => QUESTIONS.get(server)?.(domain) ?? domain;

import type { DnsParameters } from '../../domain/check/types/dns.ts';
import { allOf } from '../engine/all-of.ts';
import type { Outcome, Run, RunContext } from '../engine/check-type.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import { withTimeout } from '../engine/with-timeout.ts';
import { createQueryServers } from './queries.ts';
import type { NameServer } from '../../network/dns/query-outcome.ts';
import { serversOfCheck, systemServers } from '../../network/dns/servers.ts';
import { differenceOf, type Difference } from './expectations.ts';
import type { DnsFinding } from './finding.ts';
import { lookUp } from './look-up.ts';
import { fitDnsMetadata, metadataOf } from './metadata.ts';
import { queryName } from './query-name.ts';
import { alsoExpired, different } from './sentences.ts';
import { expiryFailure } from './whois/expiry.ts';
import { registrationOf, type Registration } from './whois/registration.ts';
import { authoritativeNameservers } from './zone.ts';

/** Time limit for finding the name servers of a zone, in seconds. */
const NAMESERVERS_WITHIN = 2;

/** Maximum fraction of a run's time that is used for looking up a registration. */
const REGISTRATION_WITHIN = 0.95;

/**
 * Looks up the records of a name and compares them with the expected ones. Also looks up the zone's name servers and,
 * if the check has `whois_lookup`, the domain's registration. The check does not fail if the name servers or the
 * registration remain unknown.
 *
 * @param system the servers to query if the check lists none
 */
export const dnsRun =
  (system: () => Promise<readonly NameServer[]>): Run =>
  async (check, context) => {
    const parameters = check.parameters as DnsParameters;
    const { record_type: type = 'A', dns_servers: listed = [], expected_answers: expected = [] } = parameters;
    const { validation_mode: mode = 'contains_all', whois_lookup: whois = false, assertions = {} } = parameters;
    const host = check.host ?? '';
    let asked: string | null = null;
    let finding: DnsFinding | null = null;
    let difference: Difference | null = null;
    let nameservers: string[] = [];
    let registration: Registration | null = null;

    const answerFailure = (found: DnsFinding): ProbeFailure | null => {
      if (found.failure) return found.failure;
      const { missing, unexpected } = difference ?? { missing: [], unexpected: [] };
      const wrong = missing.length > 0 || (mode === 'exact' && unexpected.length > 0);
      return wrong ? different(found, { missing, unexpected }, mode === 'exact') : null;
    };

    /**
     * Adds the expiry of the domain's registration to the failure, because an expired registration may be the cause.
     */
    const withExpiry = (failure: ProbeFailure | null): ProbeFailure | null => {
      const { domain_expiration_threshold: threshold } = assertions;
      if (!registration || (failure === null && threshold === undefined)) return failure;
      const expiry = registration.info && expiryFailure(registration.info, threshold ?? 0, context.clock.now());
      return failure && expiry ? alsoExpired(failure, expiry) : (failure ?? expiry);
    };

    const outcome = (without: ProbeFailure | null): Outcome => {
      const failure = withExpiry(finding ? answerFailure(finding) : without);
      const facts = { host, asked, finding, difference, nameservers, registration };
      return {
        status: failure?.status ?? 'ok',
        reason: failure?.reason ?? null,
        response_time: finding && Math.round(finding.response.time),
        error_message: failure?.message ?? null,
        check_metadata: fitDnsMetadata(metadataOf(parameters, facts)),
      };
    };

    const found = (what: DnsFinding): void => {
      finding = what;
      if (expected.length > 0) difference = differenceOf(type, what.answers, expected);
    };

    const askServers = async (name: string, limited: RunContext): Promise<void> => {
      const servers = listed.length > 0 ? serversOfCheck(listed) : await system();
      const asker = createQueryServers(servers, check.timeout, limited);
      const last = await lookUp({ queriedName: name, type }, asker, found);
      found(last);
      const again = createQueryServers([last.response.server], NAMESERVERS_WITHIN, limited);
      nameservers = await authoritativeNameservers(last.name, again);
    };

    const askRegistry = async (limited: RunContext): Promise<void> => {
      registration = await registrationOf(host, check.timeout * 1_000 * REGISTRATION_WITHIN, limited);
    };

    const attempt = async (limited: RunContext): Promise<Outcome> => {
      asked = queryName(host, type);
      // The run waits for both look-ups, even if one of the two fails.
      await allOf([askServers(asked, limited), ...(whois ? [askRegistry(limited)] : [])]);
      return outcome(null);
    };

    return withTimeout(check.timeout, context, attempt, {
      timedOut: () => new ProbeFailure('down', 'timeout', `Timed out after ${check.timeout} s.`),
      // Called when the time runs out during the additional look-ups. The answers to the main query still count.
      outcome,
    });
  };

export const runDns: Run = dnsRun(systemServers);

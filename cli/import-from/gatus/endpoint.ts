import { durationIn, flagIn, mappingIn, requiredTextIn, textIn, textsByNameIn, textsIn } from '../mapping/fields.ts';
import type { Draft } from '../mapping/draft.ts';
import { labelTag, limitedTags } from '../mapping/tags.ts';
import { bounded } from '../mapping/bounds.ts';
import type { CheckEntry, Reference } from '../../configuration/model.ts';
import { isMapping, type Mapping } from '../read-yaml.ts';
import { addAlertRules, type WatchedCheck } from './alerts.ts';
import type { Channels } from './channels.ts';
import { noteClient } from './client.ts';
import { noteMaintenance } from './maintenance.ts';
import { parseCondition, type Condition } from './conditions.ts';
import { hasVariable } from './variables.ts';
import {
  grpcEndpoint,
  sshEndpoint,
  startTlsEndpoint,
  tcpEndpoint,
  tlsEndpoint,
  webSocketEndpoint,
} from './types/connection.ts';
import { dnsEndpoint } from './types/dns.ts';
import { icmpEndpoint } from './types/icmp.ts';
import type { Endpoint, Monitored } from './types/monitored.ts';
import { webEndpoint } from './types/web.ts';

/** An endpoint that the page shows. */
export interface ShownEndpoint {
  name: string;
  group: string | null;
  check: Reference;
}

const DEFAULT_INTERVAL = 60;
const DEFAULT_TIMEOUT = 10;

const CONVERTERS: Readonly<Record<string, (endpoint: Endpoint) => Monitored | null>> = {
  http: webEndpoint,
  https: webEndpoint,
  tcp: tcpEndpoint,
  tls: tlsEndpoint,
  starttls: startTlsEndpoint,
  icmp: icmpEndpoint,
  ssh: sshEndpoint,
  ws: webSocketEndpoint,
  wss: webSocketEndpoint,
  grpc: grpcEndpoint,
  grpcs: grpcEndpoint,
};

const LEFT_OUT: Readonly<Record<string, string>> = {
  udp: 'uses UDP and is left out; a portscan check with scan_type udp and expected_open_ports is the closest equivalent.',
  sctp: 'uses SCTP and is left out; an icmp check of the host is the closest equivalent.',
};

const converterOf = (endpoint: Endpoint): ((endpoint: Endpoint) => Monitored | null) => {
  const { url, section, note } = endpoint;
  if (isMapping(section['dns'])) return dnsEndpoint;
  const [, scheme = ''] = /^([a-z]+):\/\//i.exec(url) ?? [];
  const found = CONVERTERS[scheme.toLowerCase()];
  if (found) return found;
  if (scheme === '' && hasVariable(url)) {
    note(
      'has an address that is a variable; it is taken for an http address. Write the scheme into the file otherwise.',
    );
    return webEndpoint;
  }
  return () => {
    const sentence = 'has an address of an unknown kind and is left out; a tcp check can connect to its port.';
    note(LEFT_OUT[scheme.toLowerCase()] ?? sentence);
    return null;
  };
};

/** Converts an endpoint of Gatus. Returns what the page shows; null if it does not show the endpoint. */
export const addEndpoint = (section: Mapping, draft: Draft, channels: Channels): ShownEndpoint | null => {
  const name = requiredTextIn(section, 'name').trim();
  const groupName = textIn(section, 'group')?.trim() ?? '';
  const label = groupName === '' ? name : `${groupName}/${name}`;
  const note = (rest: string): void => {
    draft.note(`The endpoint "${label}" ${rest}`);
  };
  const client = mappingIn(section, 'client') ?? {};
  const endpoint: Endpoint = {
    name,
    url: requiredTextIn(section, 'url').trim(),
    timeout: bounded(durationIn(client, 'timeout') || DEFAULT_TIMEOUT, [1, 30], (sentence) => {
      note(`has a timeout of ${sentence}`);
    }),
    section,
    client,
    conditions: conditionsOf(section, note),
    note,
  };
  const monitored = converterOf(endpoint)(endpoint);
  if (!monitored) return null;
  noteClient(endpoint);
  noteMaintenance(section, note);
  const isActive = flagIn(section, 'enabled') ?? true;
  const group = groupName === '' ? null : draft.addGroup(groupName);
  const common = { ...commonFields(endpoint, section), active: isActive, ...(group !== null && { group }) };
  const watched = addChecks(draft, endpoint, monitored, common);
  addAlertRules(draft, channels, { section, label, group: groupName, endpoint }, watched);
  const [main] = watched;
  return main?.isMain === true && isActive ? { name, group, check: main.reference } : null;
};

const conditionsOf = (section: Mapping, note: (rest: string) => void): Condition[] =>
  textsIn(section, 'conditions').flatMap((source) => {
    const condition = parseCondition(source);
    if (!condition)
      note(`has the condition "${source}", which has no equivalent; a multistep check can test it in a script.`);
    return condition ?? [];
  });

const commonFields = (
  { timeout, note }: Endpoint,
  section: Mapping,
): { interval: number; timeout: number; tags: string[] } => {
  const seconds = durationIn(section, 'interval') || DEFAULT_INTERVAL;
  const interval = Math.round(
    bounded(seconds, [30, 86_400], (sentence) => {
      note(`has an interval of ${sentence}`);
    }),
  );
  const labels = Object.entries(textsByNameIn(section, 'extra-labels'));
  const { tags, excess } = limitedTags(labels.map(([name, value]) => labelTag(name, value)));
  if (excess.length > 0) note(`has more labels than the 20 tags of a check; ${excess.length} are left out.`);
  return { interval, timeout, tags };
};

const addChecks = (
  draft: Draft,
  { name }: Endpoint,
  { main, additional, slowAfter }: Monitored,
  common: { interval: number },
): WatchedCheck[] => {
  const add = (check: CheckEntry, slow: number | null, isMain: boolean): WatchedCheck[] => {
    const reference = draft.addCheck(check);
    return reference === null ? [] : [{ reference, name: check.name, slowAfter: slow, isMain }];
  };
  return [
    ...add({ name, ...common, ...main }, slowAfter, true),
    ...additional.flatMap(({ suffix, interval, target }) =>
      add(
        { name: `${name} (${suffix})`, ...common, ...(interval !== undefined && { interval }), ...target },
        null,
        false,
      ),
    ),
  ];
};

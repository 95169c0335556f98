import type { NamedEntry } from '../../configuration/model.ts';
import { uniqueNames } from '../naming.ts';
import type { Remarks } from '../remarks.ts';
import type { RobotContact } from './json.ts';

/** The types of contacts whose value is all that a channel needs, by the number in the API. */
const MAPPINGS: Readonly<
  Record<string, { title: string; channel: (value: string) => Omit<NamedEntry, 'name'> | null }>
> = {
  2: {
    title: 'E-mail',
    channel: (value) =>
      /^[^\s@]+@[^\s@]+$/.test(value) ? { type: 'email', configuration: { recipients: [value] } } : null,
  },
  5: {
    title: 'Webhook',
    channel: (value) => (isAddress(value) ? { type: 'webhook', configuration: { url: value } } : null),
  },
  11: {
    title: 'Slack',
    channel: (value) => (isAddress(value) ? { type: 'slack', configuration: { webhook_url: value } } : null),
  },
};

const isAddress = (value: string): boolean =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && new URL(value).username === '';

/** Maps contacts to channels. A webhook gets the body of Uptrail instead of the variables in its address. */
export const channelsOf = (contacts: readonly RobotContact[], remarks: Remarks) => {
  const naming = uniqueNames('Contact');
  const names = new Map<string, string>();
  const entries: NamedEntry[] = [];
  const unknown = new Set<string>();
  for (const contact of new Map(contacts.map((one) => [one.key, one])).values()) {
    const mapping = MAPPINGS[contact.type];
    const channel = mapping?.channel(contact.value.trim()) ?? null;
    if (mapping === undefined || channel === null) {
      unknown.add(contact.type);
      continue;
    }
    // The address of a webhook can be secret, so that it is not part of the name.
    const name = naming(contact.type === '2' ? `${mapping.title} ${contact.value.trim()}` : mapping.title);
    if (contact.type === '5') {
      remarks.about(
        name,
        'sends JSON. Variables in its address (*monitorFriendlyName*) are not filled: use placeholders of a body_template.',
      );
    }
    names.set(contact.key, name);
    entries.push({ name, ...channel });
  }
  if (unknown.size > 0) {
    remarks.add(
      `Alert contacts of the types ${[...unknown].map((type) => type.slice(0, 20) || '?').join(', ')} were not imported. Create a channel for each and choose it in the rules.`,
    );
  }
  return { entries, names };
};

import { plurals } from '../../words/plurals.ts';
import type { SubscribersWords } from '../words/subscribers.ts';

const subscribersOf = plurals('en', { one: 'subscriber', other: 'subscribers' });
const componentsOf = plurals('en', { one: 'component', other: 'components' });
const moreLines = plurals('en', { one: 'more line was refused', other: 'more lines were refused' });

export const subscribers: SubscribersWords = {
  none: 'No subscribers yet',
  noneText: 'Visitors subscribe on the page. You can add them here, or import those of another service.',
  noMatch: 'No subscribers found.',
  add: 'Add subscriber',
  import: 'Import',
  export: 'Export CSV',
  search: 'Search addresses',
  searchHint: 'A whole address, or part of it as shown',
  mode: 'Kind',
  modes: { email: 'E-mail', sms: 'Text message', webhook: 'Webhook' },
  status: 'Status',
  statuses: {
    active: 'Active',
    pending: 'Waiting for confirmation',
    quarantined: 'Undeliverable',
    unsubscribed: 'Unsubscribed',
  },
  paused: 'Paused',
  address: 'Address',
  scope: 'Scope',
  everything: 'Everything',
  componentsOf,
  oneIncident: 'One incident',
  since: 'Subscribed',
  count: subscribersOf,
  purgedAt: 'will be deleted',
  addTitle: 'Add subscriber',
  addText:
    'They get a message with a confirmation link. If they have not confirmed an earlier one, they are asked again.',
  email: 'E-mail address',
  phone: 'Mobile number',
  country: 'Country',
  countryHint: 'Two letters, such as DE.',
  endpoint: 'URL of the webhook',
  endpointHint: 'An https URL that responds to our challenge.',
  skipConfirmation: 'Do not ask for confirmation',
  skipConfirmationHint: 'Only if they have agreed elsewhere.',
  scopeHint: 'Nothing chosen: everything.',
  added: 'The subscriber was added.',
  addedPending: 'The subscriber was added and is asked to confirm.',
  secret: 'Secret of the webhook',
  secretText: 'Messages are signed with it. It is shown only now.',
  askAgain: 'Ask to confirm again',
  askAgainText:
    'Addresses are stored encrypted. Type the whole address: the link is sent again, and the scope stays the same.',
  editScope: 'Change the scope',
  pause: 'Pause',
  resume: 'Resume',
  rotate: 'New secret',
  rotateTitle: 'Give the webhook a new secret?',
  rotateText: 'For a day, messages are signed with both secrets.',
  deleteTitle: 'Remove the subscriber?',
  deleteText: (address) =>
    `${address} gets no more messages, and the address is erased. The subscriber is not notified.`,
  deleted: 'The subscriber was removed.',
  importTitle: 'Import subscribers',
  importText:
    'A CSV file of up to 1 MiB and 10,000 lines, with the columns of an export or those of Statuspage. The same file can be imported again: known subscribers stay unchanged.',
  file: 'File',
  importSkip: 'Do not ask for confirmation',
  importSkipHint: 'Only if they have agreed elsewhere. Webhooks are always challenged.',
  imported: (added, unchanged, refused) =>
    `${added.toString()} added, ${unchanged.toString()} already known, ${refused.toString()} refused`,
  line: 'Line',
  problem: 'Problem',
  moreLines,
  anotherFile: 'Import another file',
  exporting: 'The export contains whole addresses and is recorded in the audit log.',
};

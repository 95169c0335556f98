import type { Schemas } from '../../api/openapi.d.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { addressOf } from '../check-start/address.ts';
import { bodyOf, proposalOf } from '../check-start/proposal.ts';
import { loadChannels } from './channels.ts';
import type { Channels } from './rule-channels.ts';
import { loadChoices, type Choices } from './choices.ts';
import { cloneOf } from './bodies.ts';
import type { Source } from './draft.ts';
import { CHECK_TYPES } from './fields.ts';

/** The data that the form needs before it is shown. */
export interface FormInput {
  source: Source;
  /** revision of the edited check; null: the check is new */
  revision: number | null;
  channels: Channels;
  choices: Choices;
}

const NO_CHANNELS: Channels = { ids: [], differ: false };

/**
 * Returns the initial values of a new check: the values of the check that is cloned, an address in the URL's query, or
 * no values.
 */
const newSource = async (
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<Pick<FormInput, 'source' | 'channels'>> => {
  const from = query.get('from');
  if (from !== null) {
    const [check, channels] = await Promise.all([readCheck(from, signal), loadChannels(from, signal)]);
    return { source: cloneOf(check, words.value.checkForm.copyOf(check.name).slice(0, 100)), channels };
  }
  const address = addressOf(query.get('address') ?? '');
  if (address) {
    const proposal = proposalOf(address, new Set(CHECK_TYPES), null);
    return { source: bodyOf(address, proposal) as unknown as Source, channels: NO_CHANNELS };
  }
  const type = CHECK_TYPES.find((one) => one === query.get('type')) ?? 'web';
  return { source: { type }, channels: NO_CHANNELS };
};

const readCheck = (check_id: string, signal: AbortSignal): Promise<Schemas['Check']> =>
  call('GET /v1/checks/{check_id}', { params: { check_id } }, { signal });

/** Loads the data for the form. @param check_id null: a new check */
export const loadForm = async (
  check_id: string | null,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<FormInput> => {
  const choices = loadChoices(signal);
  if (check_id === null) return { ...(await newSource(query, signal)), revision: null, choices: await choices };
  const [check, channels] = await Promise.all([readCheck(check_id, signal), loadChannels(check_id, signal)]);
  return { source: check, revision: check.revision, channels, choices: await choices };
};

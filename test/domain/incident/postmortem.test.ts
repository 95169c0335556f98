import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IllegalState, Invalid, NotFound } from '../../../domain/errors.ts';
import {
  draftPostmortem,
  publishPostmortem,
  unpublishPostmortem,
  type DraftInput,
} from '../../../domain/incident/postmortem.ts';
import { incidentDecider, type Incident } from '../../../domain/incident/state.ts';
import { pageDeleted } from '../page/examples.ts';
import { specification } from '../specification.ts';
import { at, deleted, drafted, opened, page, PREVIEW, published, unpublished } from './examples.ts';

const incident = specification(incidentDecider);
const test = suite('a postmortem');

const OTHER = { key: 'organization-1', sealed: 'another' };
const write =
  (input: DraftInput, on = page()) =>
  (state: Incident) =>
    draftPostmortem(state, on, { id: 'p1', preview_key: PREVIEW }, input, at('14:00'));
const writeAgain = (input: DraftInput) => (state: Incident) =>
  draftPostmortem(state, page(), { id: 'p2', preview_key: OTHER }, input, at('15:00'));
const publish =
  (input: Pick<DraftInput, 'notify_subscribers'> = {}) =>
  (state: Incident) =>
    publishPostmortem(state, page(), input, at('16:00'));

const draft = { body_draft: 'A disk was full.', notify_subscribers: true };

test('a postmortem begins as a draft, and its publication notifies subscribers by default', () => {
  incident
    .given(opened())
    .when(write({ body_draft: 'A disk was full.' }))
    .then(drafted('14:00', draft, null));
  incident
    .given(opened())
    .when(write({ body_draft: 'A disk was full.', notify_subscribers: false }))
    .then(drafted('14:00', { ...draft, notify_subscribers: false }, null));
});

test('a postmortem requires a text', () => {
  for (const input of [{}, { body_draft: null }, { notify_subscribers: true }]) {
    incident.given(opened()).when(write(input)).throws(Invalid);
  }
});

test('a postmortem keeps its ID and preview key when the draft changes', () => {
  const better = { ...draft, body_draft: 'Two disks were full.' };
  incident
    .given(opened(), drafted('14:00', draft, null))
    .when(writeAgain({ body_draft: 'Two disks were full.' }))
    .then(drafted('15:00', better, draft));
  incident
    .given(opened(), drafted('14:00', draft, null))
    .when(writeAgain({ notify_subscribers: false }))
    .then(drafted('15:00', { ...draft, notify_subscribers: false }, draft));
});

test('a postmortem with an equal text is unchanged', () => {
  incident
    .given(opened(), drafted('14:00', draft, null))
    .when(writeAgain({ ...draft }))
    .thenNothing();
  incident
    .given(opened(), drafted('14:00', draft, null))
    .when(writeAgain({}))
    .thenNothing();
});

test('each draft of a postmortem is published once', () => {
  incident
    .given(opened(), drafted('14:00', draft, null))
    .when(publish())
    .then(published('16:00', draft.body_draft));
  incident
    .given(opened(), drafted('14:00', draft, null), published('15:00', draft.body_draft))
    .when(publish())
    .throws(IllegalState, 'There is no draft to publish.');
});

test('a postmortem notifies subscribers as the newest request specifies', () => {
  incident
    .given(opened(), drafted('14:00', draft, null))
    .when(publish({ notify_subscribers: false }))
    .then(published('16:00', draft.body_draft, false));
  incident
    .given(opened(), drafted('14:00', { ...draft, notify_subscribers: false }, null))
    .when(publish())
    .then(published('16:00', draft.body_draft, false));
});

test('a new draft of a published postmortem has a new preview key, even if its text is the same', () => {
  const history = [opened(), drafted('14:00', draft, null), published('14:30', draft.body_draft)] as const;
  incident
    .given(...history)
    .when(writeAgain({ body_draft: 'Two disks were full.' }))
    .then(drafted('15:00', { ...draft, body_draft: 'Two disks were full.' }, draft, OTHER));
  incident
    .given(...history)
    .when(writeAgain({ body_draft: draft.body_draft }))
    .then(drafted('15:00', draft, draft, OTHER));
  incident
    .given(...history, drafted('15:00', draft, draft, OTHER))
    .when(publish())
    .then(published('16:00', draft.body_draft));
});

test('a postmortem without a draft has nothing to publish', () => {
  const none = { ...draft, body_draft: null };
  incident
    .given(opened(), drafted('14:00', draft, null))
    .when(writeAgain({ body_draft: null }))
    .then(drafted('15:00', none, draft, null));
  incident
    .given(opened(), drafted('14:00', draft, null), drafted('15:00', none, draft, null))
    .when(publish())
    .throws(IllegalState);
});

test('a change of the notification setting alone creates no draft of a postmortem', () => {
  const history = [opened(), drafted('14:00', draft, null), published('14:30', draft.body_draft)] as const;
  const untold = { ...draft, notify_subscribers: false };
  incident
    .given(...history)
    .when(writeAgain({ notify_subscribers: false }))
    .then(drafted('15:00', untold, draft, null));
  incident
    .given(...history, drafted('15:00', untold, draft, null))
    .when(publish())
    .throws(IllegalState);
});

test("a postmortem can't be published before it is written", () => {
  incident.given(opened()).when(publish()).throws(NotFound, 'There is no such postmortem.');
});

test('a postmortem is removed with its incident and its page', () => {
  incident
    .given(opened(), drafted('14:00', draft, null), deleted('15:00'))
    .when(publish())
    .throws(NotFound);
  incident
    .given(opened())
    .when(write({ body_draft: 'x' }, page(pageDeleted)))
    .throws(NotFound);
});

test('the error for a postmortem names its missing fields', () => {
  try {
    write({})(incident.given(opened()).state());
    assert.unreachable();
  } catch (error) {
    assert.equal((error as Invalid).errors, { json: { body_draft: ['Is required: there is no postmortem yet.'] } });
  }
});

const unpublish = (state: Incident) => unpublishPostmortem(state, page(), { preview_key: OTHER }, at('17:00'));
const unpublishing = unpublished('17:00', OTHER);

test('a postmortem can be unpublished, and its text published again', () => {
  const before = [opened(), drafted('14:00', draft, null), published('16:00', draft.body_draft)] as const;
  incident
    .given(...before)
    .when(unpublish)
    .then(unpublishing);
  incident
    .given(...before, unpublishing)
    .when(publish())
    .then(published('16:00', draft.body_draft));
  incident
    .given(...before, unpublishing)
    .when(unpublish)
    .throws(IllegalState, 'The postmortem is not published.');
});

test("a postmortem can't be unpublished before it is published", () => {
  incident.given(opened()).when(unpublish).throws(NotFound);
  incident
    .given(opened(), drafted('14:00', draft, null))
    .when(unpublish)
    .throws(IllegalState);
});

test.run();

import { plurals } from '../../words/plurals.ts';
import type { TagWords } from '../words/tags.ts';

const checks = plurals('en', { one: 'check', other: 'checks' });
const heartbeats = plurals('en', { one: 'heartbeat', other: 'heartbeats' });

export const tags: TagWords = {
  tag: 'Tag',
  filter: 'Filter tags',
  matches: plurals('en', { one: 'tag', other: 'tags' }),
  noMatch: 'No tag contains this text.',
  empty: 'No tags yet',
  emptyText:
    'You add tags when you edit a check or a heartbeat. Alert rules, components and reports can name a tag instead of a check.',
  checks: 'Checks',
  failing: 'Down',
  heartbeats: 'Heartbeats',
  late: 'Late',
  more: plurals('en', { one: 'more tag: narrow the filter', other: 'more tags: narrow the filter' }),
  rename: 'Rename',
  newName: 'New name',
  rule: 'Lower-case letters, digits and . _ : - only, 50 at most.',
  renameTitle: (tag) => `Rename the tag ${tag}`,
  renameText: 'If a tag with the new name exists, the two are merged.',
  removeTitle: (tag) => `Remove the tag ${tag} everywhere?`,
  removeText: 'This cannot be undone.',
  affected: (ofChecks, ofHeartbeats) => `${checks(ofChecks)} and ${heartbeats(ofHeartbeats)} have it.`,
  kept: 'Alert rules, components and reports that name the tag are not changed.',
  rules: plurals('en', { one: 'alert rule names it', other: 'alert rules name it' }),
};

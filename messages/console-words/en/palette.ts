import { plurals } from '../../words/plurals.ts';
import type { PaletteWords } from '../words/palette.ts';

export const palette: PaletteWords = {
  title: 'Search and commands',
  placeholder: 'Search checks, pages, actions …',
  groups: {
    recent: 'Recently opened',
    screens: 'Screens',
    actions: 'Actions',
    checks: 'Checks',
    heartbeats: 'Heartbeats',
    pages: 'Status pages',
    more: 'More',
  },
  newCheck: 'New check',
  newHeartbeat: 'New heartbeat',
  newIncident: 'New incident',
  choice: (preference, option) => `${preference}: ${option}`,
  inList: (text) => `Filter the list of checks by “${text}”`,
  choosePage: 'On which page is the incident?',
  noPages: 'There is no status page yet. Incidents are published on one.',
  searching: 'Searching …',
  results: plurals('en', { one: 'result', other: 'results' }),
  nothing: 'Nothing found.',
};

import { plurals } from '../../words/plurals.ts';
import type { CheckStartWords } from '../words/check-start.ts';

const days = plurals('en', { one: 'more day', other: 'more days' });

export const checkStart: CheckStartWords = {
  question: 'What should I watch?',
  example: 'shop.example.com, https://api.example.com/health, db.example.com:5432 …',
  address: 'Address',
  unclear: 'Enter a URL, a host, a host with a port, or an IP address.',
  proposal: 'This is what will be watched',
  name: 'Name',
  type: 'Kind',
  keyword: 'Text that must be present',
  keywordHint: 'A word from the page or the response, so that an error page counts as down.',
  certificate: 'Certificate',
  certificateDays: (count) => `must be valid for ${days(count)}`,
  every: 'Runs every',
  submit: 'Start watching',
  moreSettings: 'All settings',
  newCheck: 'New check',
  waiting: (name) => `${name}: waiting for the first result …`,
  isUp: (name) => `${name} is up.`,
  isDown: (name) => `${name} is down.`,
  nextPage: 'Next, create a status page for the people who depend on it.',
  createPage: 'Create a status page',
  editCheck: 'Edit the check',
};

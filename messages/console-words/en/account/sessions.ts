import type { SessionsWords } from '../../words/account/sessions.ts';

export const sessions: SessionsWords = {
  browser: 'Browser',
  unknown: 'Unknown',
  current: 'This session',
  address: 'Address',
  begun: 'Signed in',
  ends: 'Ends',
  end: 'End',
  endTitle: 'End this session?',
  endText: 'It is signed out immediately.',
  endOthers: 'End all others',
  endAll: 'End all',
  none: 'There are no sessions.',
};

import { openIncidents } from '../projections/open-incidents/projection.ts';
import { defineReactor } from './engine/define.ts';
import { done } from './engine/item-result.ts';
import { dueElsewhere } from './engine/list-declarations.ts';

/** Logs one line per incident, one second after it was opened, unless it was deleted in between. */
export const openIncidentLines = defineReactor({
  name: 'open-incidents',
  does: 'writes a line to the log of the process a second after an incident was opened',
  countsEarlier: true,
  list: dueElsewhere(openIncidents, 'open_incidents'),
  act: async ({ name }, { line }) => {
    line('info', {}, `the incident ${name} was opened a second ago`);
    return done();
  },
});

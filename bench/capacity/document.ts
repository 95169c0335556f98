/** Generates docs/operate/capacity.md, whose tables come from costs.json and trials.json. */
import { readFileSync } from 'node:fs';
import { inProject } from '../../test/project.ts';
import { measuredCosts } from './costs.ts';
import { storedTrials } from './stored-trials.ts';
import { capacityTable, costTables, needsTable, tenfoldTable, trialTable } from './tables.ts';

export const DOCUMENT = inProject('docs/operate/capacity.md');

/** Returns the document with up-to-date tables. */
export const documentText = (): string => {
  const costs = measuredCosts();
  const tables = {
    capacity: capacityTable(costs),
    tenfold: tenfoldTable(costs),
    needs: needsTable(costs),
    trials: trialTable(storedTrials()),
    costs: costTables(costs),
  };
  return Object.entries(tables).reduce(
    (text, [name, table]) => {
      const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
      const [from, to] = [text.indexOf(begin), text.indexOf(end)];
      if (from < 0 || to < from) throw new Error(`docs/operate/capacity.md has no markers for the table ${name}.`);
      return `${text.slice(0, from + begin.length)}\n\n${table}\n${text.slice(to)}`;
    },
    readFileSync(DOCUMENT, 'utf8'),
  );
};

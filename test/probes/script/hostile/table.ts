/** Prints all hostile scripts with their expectations as a table: `node build/test/probes/script/hostile/table.js`. */
import { BROWSER } from './scripts/browser.ts';
import { FILES } from './scripts/files.ts';
import { NETWORK } from './scripts/network.ts';
import { PROCESSES } from './scripts/processes.ts';
import { RESOURCES } from './scripts/resources.ts';
import { RESULTS } from './scripts/results.ts';
import { SECRETS } from './scripts/secrets.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

console.log('| Type | Expectation |\n| --- | --- |');
for (const { type, title } of [FILES, NETWORK, PROCESSES, RESOURCES, RESULTS, SECRETS, BROWSER].flat())
  console.log(`| ${type} | ${cell(title)} |`);

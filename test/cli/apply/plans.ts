import * as assert from 'uvu/assert';
import type { Plan } from '../../../cli/apply/plan.ts';
import { showPlan } from '../../../cli/apply/show.ts';
import { InvalidConfiguration } from '../../../cli/configuration/paths.ts';
import { storedAs } from './fake-service.ts';

/** A check group of the service. */
export const group = (id: string, name: string, others: object = {}) =>
  storedAs(id, { name, description: null, color: null, active: true, position: 1, ...others });

/** A check of the service. */
export const check = (id: string, name: string, others: object = {}) =>
  storedAs(id, {
    name,
    type: 'icmp',
    active: true,
    interval: 60,
    timeout: 10,
    host: 'a.example',
    url: null,
    port: null,
    parameters: {},
    tags: [],
    secrets: [],
    group_id: null,
    position: null,
    ...others,
  });

/** Returns the actions of a plan with the labels of their objects. */
export const actionsOf = ({ steps }: Plan): string[] => steps.map(({ action, label }) => `${action} ${label}`);

/** Returns the text that `plan` prints. */
export const linesOf = async (plan: Plan): Promise<string> => {
  const lines: string[] = [];
  const line = async (text: string): Promise<void> => void lines.push(text);
  await showPlan(plan, { json: false }, { line, terminal: false });
  return lines.join('\n');
};

/** Returns the message about an invalid configuration. */
export const problemsOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    assert.instance(error, InvalidConfiguration);
    return (error as Error).message;
  }
  throw new Error('The configuration is valid.');
};

/** The fields of a check in a file, besides its name, that equal those of {@link check}. */
export const ICMP = { type: 'icmp', host: 'a.example', interval: 60 };

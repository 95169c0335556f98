import { suite } from 'uvu';
import type { RunDefinition } from '../../../domain/check/run.ts';
import { parkCheck, releaseCheck, type CrashedProbeProcesses } from '../../../domain/check/parking.ts';
import { checkDecider, type Check } from '../../../domain/check/state.ts';
import { IllegalState, NotFound } from '../../../domain/errors.ts';
import { specification } from '../specification.ts';
import { checkCreated, checkDeleted, checkUpdated, newCheck, parked, released } from './examples.ts';

const check = specification(checkDecider);

const ended = (fields: Partial<RunDefinition> = {}): CrashedProbeProcesses => {
  const { type, url, host, port, timeout, parameters } = newCheck();
  const { run_id, region, at, cause } = parked().data;
  return { run_id, region, at, cause, definition: { type, url, host, port, timeout, parameters, ...fields } };
};
const park =
  (fields: Partial<RunDefinition> = {}) =>
  (state: Check) =>
    parkCheck(state, ended(fields));

const parking = suite('parked checks');

parking('a check that crashes the probe process is parked once', () => {
  check.given(checkCreated()).when(park()).then(parked());
  check.given(checkCreated(), parked()).when(park()).then();
});

parking('a check is not parked if it was changed or deleted after the crashed run', () => {
  check
    .given(checkCreated())
    .when(park({ url: 'https://other.example/' }))
    .then();
  check
    .given(checkCreated())
    .when(park({ parameters: { search_text: 'ok' } }))
    .then();
  check.given(checkCreated(), checkDeleted).when(park()).then();
  check.given().when(park()).then();
});

parking('a check is parked again if it crashes its probe process after it was changed or released', () => {
  for (const fact of [checkUpdated({ name: 'Store' }, { name: 'Shop' }), released])
    check.given(checkCreated(), parked(), fact).when(park()).then(parked());
});

parking('an operator releases a parked check', () => {
  check.given(checkCreated(), parked()).when(releaseCheck).then(released);
  check.given(checkCreated()).when(releaseCheck).throws(IllegalState, 'Only a parked check can be released.');
  check
    .given(checkCreated(), parked(), checkUpdated({ name: 'Store' }, { name: 'Shop' }))
    .when(releaseCheck)
    .throws(IllegalState);
  check.given(checkCreated(), parked(), checkDeleted).when(releaseCheck).throws(NotFound);
});

parking.run();

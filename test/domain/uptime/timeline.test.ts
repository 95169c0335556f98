import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { IncidentStatus } from '../../../domain/incident/statuses.ts';
import type { ComponentStatus } from '../../../domain/page/component-status.ts';
import { laneSetByHand, laneOf, lastStatusSet, type Lane } from '../../../domain/uptime/lane.ts';
import { measureTimeline } from '../../../domain/uptime/intervals.ts';
import { phasesOf } from '../../../domain/uptime/timeline.ts';
import { at } from '../incident/examples.ts';

const test = suite('the status of a component over time');

type Says = [clock: string, status: IncidentStatus, sets?: ComponentStatus | { names: ComponentStatus }];

/** Number of events created so far. Events are in the log in the order in which the following functions create them. */
let eventCount = 0;
const order = (): string => (eventCount++).toString().padStart(6, '0');
const incident = (...steps: Says[]): Lane => lane(false, steps);
const past = (...steps: Says[]): Lane => lane(true, steps);
const lane = (isPast: boolean, steps: Says[]): Lane =>
  laneOf(
    steps.map(([clock, status, sets]) => ({
      update_id: clock,
      at: at(clock),
      status,
      status_sent: true,
      components: sets === undefined ? {} : { c: typeof sets === 'string' ? sets : sets.names },
      switches: null,
      past: isPast,
      order: order(),
    })),
    'c',
  );
const edit = (clock: string, status: ComponentStatus): Lane => laneSetByHand('edit', at(clock), order(), status);
const creation = (clock: string, status: ComponentStatus): Lane =>
  laneSetByHand('creation', at(clock), order(), status);

/** Returns the minutes of the day by status, such as `major 60, left out 30`. */
const minutes = (...lanes: Lane[]): string => {
  const { total, major, partial } = measureTimeline(
    phasesOf(lanes),
    Date.parse('2026-11-20T00:00Z'),
    Date.parse('2026-11-21T00:00Z'),
  );
  const figures = { major, partial, 'left out': 86_400_000 - total };
  return Object.entries(figures)
    .filter(([, length]) => length > 0)
    .map(([name, length]) => `${name} ${length / 60_000}`)
    .join(', ');
};

test('a component is operational if no event sets another status', () => {
  assert.is(minutes(), '');
  assert.is(minutes(creation('08:00', 'operational')), '');
});

test('an incident sets the status of a component at the time of its update', () => {
  assert.is(
    minutes(incident(['10:00', 'investigating', 'major_outage'], ['11:00', 'resolved', 'operational'])),
    'major 60',
  );
  assert.is(
    minutes(
      incident(
        ['10:00', 'investigating', 'major_outage'],
        ['10:20', 'identified', 'partial_outage'],
        ['10:50', 'monitoring', 'degraded_performance'],
        ['12:00', 'resolved', 'operational'],
      ),
    ),
    'major 20, partial 30',
  );
});

test('the status of a component remains through updates that do not contain it', () => {
  const one = incident(
    ['10:00', 'investigating', 'major_outage'],
    ['10:30', 'identified'],
    ['11:00', 'resolved', 'operational'],
  );
  assert.is(minutes(one), 'major 60');
});

test('the status of a component is the worst of its open incidents', () => {
  const bad = incident(['10:00', 'investigating', 'major_outage'], ['11:00', 'resolved', 'operational']);
  const worse = incident(['10:30', 'investigating', 'partial_outage'], ['11:30', 'resolved', 'operational']);
  assert.is(minutes(bad, worse), 'major 60, partial 30');
});

test('an incident does not improve the status of a component while another incident is open', () => {
  const open = incident(['10:00', 'investigating', 'major_outage'], ['12:00', 'resolved', 'operational']);
  const other = incident(['10:30', 'investigating', 'operational'], ['11:00', 'resolved', 'operational']);
  assert.is(minutes(open, other), 'major 120');
});

test('a component retains the status of a resolved incident until another event sets the status', () => {
  const left = incident(['10:00', 'investigating', 'major_outage'], ['11:00', 'resolved']);
  assert.is(minutes(left), 'major 840');
  assert.is(minutes(left, edit('12:00', 'operational')), 'major 120');
  assert.is(
    minutes(left, incident(['12:00', 'investigating', 'partial_outage'], ['13:00', 'resolved', 'operational'])),
    'major 120, partial 60',
  );
});

test('the status of a resolved incident is not replaced by an earlier status of an incident that is still open', () => {
  const left = incident(['10:00', 'investigating', 'major_outage'], ['11:00', 'resolved']);
  const before = incident(['10:30', 'investigating', 'partial_outage'], ['12:00', 'resolved', 'operational']);
  assert.is(minutes(left, before), 'major 120');
});

test('a resolved incident can set the status of a component again', () => {
  const again = incident(
    ['10:00', 'investigating', 'major_outage'],
    ['11:00', 'resolved'],
    ['12:00', 'resolved', 'operational'],
  );
  assert.is(minutes(again), 'major 120');
});

test('a status left by an incident continues when the incident is opened again', () => {
  const reopened = incident(
    ['10:00', 'investigating', 'major_outage'],
    ['11:00', 'resolved'],
    ['12:00', 'investigating'],
    ['13:00', 'resolved', 'operational'],
  );
  assert.is(minutes(reopened), 'major 180');
  // As long as the reopened incident is open, other incidents do not end its effect.
  const other = incident(['12:30', 'investigating', 'operational'], ['12:40', 'resolved']);
  assert.is(minutes(reopened, other), 'major 180');
});

test('a reopened incident affects the status of a component again, whatever was set in between', () => {
  const reopened = incident(
    ['10:00', 'investigating', 'major_outage'],
    ['11:00', 'resolved'],
    ['12:00', 'investigating'],
    ['13:00', 'resolved', 'operational'],
  );
  const between = incident(['11:30', 'resolved', 'operational']);
  assert.is(minutes(reopened, between), 'major 150');
  assert.is(minutes(reopened, edit('11:30', 'operational')), 'major 90');
});

test('setting the status of a component by hand ends the effect of all earlier incidents', () => {
  const one = incident(['10:00', 'investigating', 'major_outage'], ['14:00', 'resolved']);
  const two = incident(['10:00', 'investigating', 'partial_outage'], ['14:00', 'resolved']);
  assert.is(minutes(one, two, edit('11:00', 'operational')), 'major 60');
  assert.is(minutes(one, two, edit('11:00', 'partial_outage'), edit('11:30', 'operational')), 'major 60, partial 30');
});

test('a status set by hand remains until another event sets it', () => {
  assert.is(minutes(edit('10:00', 'major_outage')), 'major 840');
  assert.is(
    minutes(
      edit('10:00', 'major_outage'),
      incident(['11:00', 'investigating', 'partial_outage'], ['12:00', 'resolved', 'operational']),
    ),
    'major 60, partial 60',
  );
  assert.is(minutes(creation('10:00', 'partial_outage'), edit('10:10', 'operational')), 'partial 10');
});

test('the creation of a component does not end the effect of incidents', () => {
  const open = incident(['10:00', 'investigating', 'major_outage'], ['11:00', 'resolved', 'operational']);
  assert.is(minutes(open, creation('10:30', 'operational')), 'major 60');
});

test('events at equal times are applied in the order of the log', () => {
  const first = edit('10:00', 'major_outage');
  const second = edit('10:00', 'operational');
  assert.is(minutes(second, first), '');
  const open = incident(['10:00', 'investigating', 'major_outage']);
  const after = edit('10:00', 'operational');
  assert.is(minutes(open, after), '');
});

test('degraded performance does not count as downtime', () => {
  assert.is(minutes(incident(['10:00', 'investigating', 'degraded_performance'])), '');
});

test('time under a maintenance of the component is left out, whatever other incidents set', () => {
  const maintenance = incident(
    ['09:00', 'scheduled', { names: 'under_maintenance' }],
    ['10:00', 'in_progress'],
    ['10:30', 'verifying'],
    ['11:00', 'completed'],
  );
  const open = incident(['10:15', 'investigating', 'major_outage'], ['11:30', 'resolved', 'operational']);
  assert.is(minutes(maintenance), 'left out 60');
  assert.is(minutes(maintenance, open), 'major 30, left out 60');
  assert.is(minutes(maintenance, edit('10:10', 'major_outage'), edit('10:50', 'operational')), 'left out 60');
});

test('time with the status under_maintenance is left out, whatever other incidents set', () => {
  assert.is(minutes(edit('10:00', 'under_maintenance'), edit('11:00', 'operational')), 'left out 60');
  const maintenanceLane = incident(
    ['10:00', 'investigating', 'under_maintenance'],
    ['11:00', 'resolved', 'operational'],
  );
  const open = incident(['10:15', 'investigating', 'major_outage'], ['11:30', 'resolved', 'operational']);
  assert.is(minutes(maintenanceLane, open), 'major 30, left out 60');
});

test('a maintenance that has not started does not change the status of a component', () => {
  assert.is(minutes(incident(['09:00', 'scheduled', { names: 'major_outage' }])), '');
  assert.is(
    minutes(
      incident(['09:00', 'scheduled', { names: 'major_outage' }], ['10:00', 'in_progress'], ['11:00', 'completed']),
    ),
    'left out 60',
  );
});

test('a started maintenance sets the status of a component', () => {
  const failed = incident(
    ['09:00', 'scheduled', { names: 'under_maintenance' }],
    ['10:00', 'in_progress', 'under_maintenance'],
    ['11:00', 'completed', 'major_outage'],
  );
  assert.is(minutes(failed, edit('12:00', 'operational')), 'major 60, left out 60');
});

test('the status set by a past incident ends with its resolution', () => {
  assert.is(minutes(past(['10:00', 'investigating', 'major_outage'], ['11:00', 'resolved'])), 'major 60');
  assert.is(
    minutes(past(['10:00', 'investigating', 'major_outage'], ['11:00', 'resolved', 'partial_outage'])),
    'major 60',
  );
});

test('a past incident does not end the effect of other incidents, but a manual status does', () => {
  const left = incident(['09:00', 'investigating', 'partial_outage'], ['09:30', 'resolved']);
  const pastIncident = past(['10:00', 'investigating', 'major_outage'], ['11:00', 'resolved', 'operational']);
  assert.is(minutes(left, pastIncident, edit('12:00', 'operational')), 'major 60, partial 120');
  assert.is(minutes(pastIncident, edit('10:30', 'operational')), 'major 30');
});

test('the newest step that set the status of a component is reported, unless the step belongs to a past incident', () => {
  const incidentLane = incident(
    ['10:00', 'investigating', 'major_outage'],
    ['11:00', 'identified', 'partial_outage'],
    ['12:00', 'resolved'],
  );
  assert.is(lastStatusSet(incidentLane)?.sets, 'partial_outage');
  assert.is(lastStatusSet(incidentLane)?.at, at('11:00'));
  assert.is(lastStatusSet(past(['10:00', 'resolved', 'major_outage'])), null);
  assert.is(lastStatusSet(incident(['10:00', 'scheduled', { names: 'major_outage' }])), null);
});

test('a timeline is measured only within the range, and an empty range has no uptime', () => {
  const one = phasesOf([incident(['10:00', 'investigating', 'major_outage'], ['11:00', 'resolved', 'operational'])]);
  const clock = (text: string): number => Date.parse(`2026-11-20T${text}Z`);
  assert.equal(measureTimeline(one, clock('10:30'), clock('10:40')), { total: 600_000, major: 600_000, partial: 0 });
  assert.equal(measureTimeline(one, clock('10:30'), clock('12:00')), {
    total: 5_400_000,
    major: 1_800_000,
    partial: 0,
  });
  assert.equal(measureTimeline(one, clock('12:00'), clock('12:00')), { total: 0, major: 0, partial: 0 });
  assert.equal(measureTimeline(one, clock('12:00'), clock('11:00')), { total: 0, major: 0, partial: 0 });
});

test.run();

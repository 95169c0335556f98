import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  recordDisconnection,
  recordReconnection,
  regionDecider,
  regionStreamId,
  type RegionLink,
} from '../../../domain/region/outage.ts';
import { outage, regionCutOff, regionReconnected } from './examples.ts';

const test = suite('a region of remote runners');

const after = (...events: (ReturnType<typeof regionCutOff> | ReturnType<typeof regionReconnected>)[]): RegionLink =>
  events.reduce<RegionLink>(regionDecider.evolve, regionDecider.initialState);

test('several detections of a disconnected region record one outage until it is connected again', () => {
  assert.equal(recordDisconnection(after(), outage), [regionCutOff()]);
  assert.equal(recordDisconnection(after(regionCutOff()), { ...outage, since: '2026-11-20T15:00:05.000000' }), []);
  assert.equal(recordDisconnection(after(regionCutOff(), regionReconnected()), outage), [regionCutOff()]);
});

test('a region is connected again only after it was disconnected', () => {
  assert.equal(recordReconnection(after(), 'connected'), []);
  assert.equal(recordReconnection(after(regionCutOff({ name: 'Office' })), 'not_remote'), [
    regionReconnected({ name: 'Office', because: 'not_remote' }),
  ]);
  assert.equal(recordReconnection(after(regionCutOff(), regionReconnected()), 'connected'), []);
});

test('the stream of a region is named after its first alias, and the stream of a private location after the ID of the location', () => {
  assert.is(regionStreamId('EU, West'), 'eu-west1');
  assert.is(regionStreamId('private-0123456789ab'), 'private-0123456789ab');
});

test.run();

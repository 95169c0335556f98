import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventTypes } from '../../domain/event-types.ts';
import { revisedBy } from '../../domain/revision.ts';

const test = suite('revisions of resources');

/** Event types that change no field set by clients. They belong to resources with revisions. */
const OTHERS = [
  'AlertChannelDeleted',
  'AlertChannelTested',
  'AlertRuleDeleted',
  'CheckCameUp',
  'CheckCreationAbandoned',
  'CheckDeleted',
  'CheckGroupDeleted',
  'CheckParked',
  'CheckRecovered',
  'CheckReleased',
  'CheckRestorationAbandoned',
  'CheckRestored',
  'CheckSecretClaimClosed',
  'CheckWentDown',
  'ComponentHeld',
  'ComponentReleased',
  'ComponentRemoved',
  'DomainChangeAbandoned',
  'HeartbeatDeleted',
  'HeartbeatRecovered',
  'HeartbeatWentDown',
  'IncidentTemplateDeleted',
  'PageCreationAbandoned',
  'PageDeleted',
  'PagePasswordAdded',
  'PagePasswordRemoved',
  'PagePasswordUpdated',
  'PageSubscribersExported',
  'SecretClaimReleased',
  'SecretClaimed',
  'SecretCreationAbandoned',
  'SecretDeleted',
  'SecretValueRead',
  'SubdomainChangeAbandoned',
];

test('only events that change fields set by clients start a new revision', () => {
  const { alert_channel, alert_rule, check, check_group, heartbeat, incident_template, page, secret } = eventTypes;
  const ids = {
    channel_id: 'a',
    rule_id: 'b',
    check_id: 'c',
    check_group_id: 'd',
    component_id: 'e',
    heartbeat_id: 'f',
    incident_template_id: 'h',
    page_id: 'g',
    secret_id: 'i',
  };
  const revised: Record<string, string | null> = {};
  for (const type of Object.keys({
    ...alert_channel,
    ...alert_rule,
    ...check,
    ...check_group,
    ...heartbeat,
    ...incident_template,
    ...page,
    ...secret,
  })) {
    revised[type] = revisedBy({ type, data: ids });
  }
  const others = Object.keys(revised).filter((type) => revised[type] === null);
  assert.equal(others.sort(), OTHERS);
  assert.is(revised['ComponentUpdated'], 'e');
  assert.is(revised['PageUpdated'], 'g');
  assert.is(revised['CheckGrouped'], 'c');
  assert.is(revised['SecretValueChanged'], 'i');
});

test.run();

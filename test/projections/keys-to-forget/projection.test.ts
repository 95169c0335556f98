import { suite } from 'uvu';
import { keysToForget } from '../../../projections/keys-to-forget/projection.ts';
import { SUBSCRIBER, subscriberDeleted, subscriberPurged } from '../../domain/subscriber/examples.ts';
import { REPORT_ID } from '../../domain/report/examples.ts';
import { SECRET, secretDeleted } from '../../domain/secret/examples.ts';
import { ANN, userForgotten } from '../../domain/organization/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const pageDeleted: Fact = {
  type: 'PageDeleted',
  data: { page_id: 'page00000001', deleted_at: '2026-11-23T00:00:01.000000' },
};
const channelDeleted: Fact = { type: 'AlertChannelDeleted', data: { channel_id: 'channel00001' } };
const reportDeleted: Fact = {
  type: 'ReportDeleted',
  data: { report_id: REPORT_ID, deleted_at: '2026-11-23T00:00:01.000000' },
};

projectionRules(keysToForget, [
  subscriberDeleted(),
  channelDeleted,
  subscriberPurged(undefined, 2),
  reportDeleted,
  secretDeleted,
  userForgotten,
  pageDeleted,
]);

const test = suite('the list of keys to delete');

const item = (id: string, changed_position: number) => ({ id, organization_id: 'org000000001', changed_position });

test('the keys of removed alert channels, reports, secrets, pages and users are listed', async () => {
  await projection(keysToForget)
    .given(channelDeleted, reportDeleted, userForgotten, secretDeleted, pageDeleted)
    .then('keys_to_forget', [
      item('alert_channel-channel00001', 10),
      item(`report-${REPORT_ID}`, 20),
      item(`user-${ANN}`, 30),
      item(`secret-${SECRET}`, 40),
      item('page_passwords-page00000001', 50),
    ]);
});

test('all keys that a removed subscriber has had since its previous removal are listed', async () => {
  await projection(keysToForget)
    .given(subscriberDeleted(1), subscriberDeleted(3, 2))
    .then('keys_to_forget', [
      item(`subscriber-${SUBSCRIBER}-1`, 10),
      item(`subscriber-${SUBSCRIBER}-2`, 20),
      item(`subscriber-${SUBSCRIBER}-3`, 20),
    ]);
});

test.run();

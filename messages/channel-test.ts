import type { DeliveryMessage } from '../domain/delivery/message.ts';
import type { Instant } from '../domain/time.ts';

/** The facts of a channel test. */
export interface ChannelTestNotice {
  /** channel name; null: the channel is not stored yet */
  name: string | null;
  at: Instant;
  organizationId: string;
}

const TITLE = 'Test of an alert channel';

/**
 * Returns the test message in all formats. Each notifier uses one of these formats. The data has the fields of a fired
 * alert, so that templates can be tested with the data, and additionally `test: true`.
 */
export const composeChannelTest = ({ name, at, organizationId }: ChannelTestNotice) => {
  const channel = name === null ? 'this channel' : `the channel "${name}"`;
  const text = `This is a test of ${channel}. Nothing is wrong: alerts will arrive like this message.`;
  return {
    event: 'alert.fired',
    subject: TITLE,
    text,
    notice: {
      title: TITLE,
      body: text,
      url: null,
      severity: 'medium',
      over: false,
      about: null,
    } satisfies DeliveryMessage as DeliveryMessage,
    data: {
      test: true,
      alert: {
        id: 'test00000000',
        title: TITLE,
        description: text,
        status: 'firing',
        severity: 'low',
        is_active: true,
        rule_id: null,
        rule_name: TITLE,
        check_id: null,
        check_name: null,
        fired_at: at,
        acknowledged_at: null,
        acknowledged_by_id: null,
        resolved_at: null,
        resolved_by_id: null,
        resolution: null,
        duration: null,
        regional_summary: [],
        trigger_results: [],
        alert_metadata: {},
      },
      rule: null,
      check: null,
      result: null,
      organization: { id: organizationId },
    },
  };
};

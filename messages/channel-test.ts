import type { Notice } from '../domain/delivery/notice.ts';
import type { Instant } from '../domain/time.ts';

/** What a test of a channel is composed of. */
export interface ChannelTestNotice {
  /** of the channel; null: it is not stored yet */
  name: string | null;
  at: Instant;
  organizationId: string;
}

const TITLE = 'Test of an alert channel';

/**
 * The message of a test, in the forms that notifiers choose from. Its body has the fields of an alert that fires, so
 * that a template can be tried with it, and `test: true`.
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
    } satisfies Notice as Notice,
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

/** Body templates of webhooks (docs/reference/alert-channels.md#body-templates) for services that expect a body of their own. */

/** The fields of the body that Uptime Kuma sends itself, so that its receivers keep working. `status` is 0 or 1. */
export const KUMA_BODY =
  '{"heartbeat": {"status": {{#fired}}0{{/fired}}{{#resolved}}1{{/resolved}}, "msg": "{{message.subject}}"}, ' +
  '"monitor": {"name": "{{check.name}}{{heartbeat.name}}"}, "msg": "{{message.text}}"}';

export const DISCORD =
  '{"allowed_mentions": {"parse": []}, "embeds": [{"title": "{{message.subject|256}}", ' +
  '"description": "{{message.text|4096}}", "color": {{#fired}}15158332{{/fired}}{{#resolved}}3066993{{/resolved}}}]}';

/** An adaptive card, which both workflows and connectors of Teams accept. */
export const TEAMS =
  '{"type": "message", "attachments": [{"contentType": "application/vnd.microsoft.card.adaptive", "content": ' +
  '{"type": "AdaptiveCard", "version": "1.4", "body": [{"type": "TextBlock", "weight": "bolder", "wrap": true, ' +
  '"text": "{{message.subject|200}}"}, {"type": "TextBlock", "wrap": true, "text": "{{message.text|4000}}"}]}}]}';

export const TEXT = '{"text": "{{message.text|4000}}"}';

/** Returns the body of an event for PagerDuty. @param integrationKey JSON without its quotation marks */
export const pagerDuty = (integrationKey: string): string =>
  `{"routing_key": "${integrationKey}", ` +
  '"event_action": "{{#fired}}trigger{{/fired}}{{#resolved}}resolve{{/resolved}}", ' +
  '"dedup_key": "uptrail-{{alert.id}}{{heartbeat.name|200}}", ' +
  '"payload": {"summary": "{{message.subject|1024}}", "source": "Uptrail", ' +
  '"severity": "{{alert.severity|low:info|medium:warning|high:error}}{{heartbeat.status|down:critical|up:info}}", ' +
  '"custom_details": {"text": "{{message.text}}"}}}';

export const OPSGENIE =
  '{{#fired}}{"message": "{{message.subject|130}}", "alias": "uptrail-{{alert.id}}{{heartbeat.name|200}}", ' +
  '"description": "{{message.text}}", "source": "Uptrail", ' +
  '"priority": "{{alert.severity|critical:P1|high:P2|medium:P3|low:P4}}{{heartbeat.status|down:P2}}"}{{/fired}}' +
  '{{#resolved}}{"source": "Uptrail", "note": "{{message.subject}}"}{{/resolved}}';

export const OPSGENIE_PATH =
  '/v2/alerts{{#resolved}}/uptrail-{{alert.id}}{{heartbeat.name|200}}/close?identifierType=alias{{/resolved}}';

export const GOTIFY = '{"title": "{{message.subject|200}}", "message": "{{message.text}}", "priority": 8}';

export const MATRIX = '{"msgtype": "m.text", "body": "{{message.text}}"}';

export const FEISHU = '{"msg_type": "text", "content": {"text": "{{message.text}}"}}';

export const DINGDING = '{"msgtype": "text", "text": {"content": "{{message.text}}"}}';

export const HOME_ASSISTANT = '{"title": "{{message.subject}}", "message": "{{message.text}}"}';

export const GRAFANA_ONCALL =
  '{"title": "{{message.subject}}", "message": "{{message.text}}", ' +
  '"state": "{{#fired}}alerting{{/fired}}{{#resolved}}ok{{/resolved}}"}';

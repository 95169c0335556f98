import { ofHost } from './template.ts';

export const dnsRecord = ofHost({
  id: 'dnsrecord000',
  name: 'DNS record',
  description:
    'A name resolves to an address. Set expected_answers to require certain addresses, or record_type to monitor MX, TXT, CNAME or NS records.',
  type: 'dns',
  tags: ['dns'],
  interval: 300,
  parameters: { record_type: 'A', validation_mode: 'contains_all' },
});

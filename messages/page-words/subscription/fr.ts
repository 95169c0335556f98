import { plurals } from '../../words/plurals.ts';
import type { SubscriptionWords } from './words.ts';

const minutes = plurals('fr', { one: 'minute', other: 'minutes' });

export const fr: SubscriptionWords = {
  title: 'S’abonner aux actualités',
  intro: (page) => `Recevez un message dès que ${page} signale un incident ou planifie une maintenance.`,
  notTaken: 'Cette page n’accepte pas d’abonnements.',
  incidentsOnly:
    'Sur cette page, vous pouvez vous abonner à un incident précis. Ouvrez-le, puis choisissez « Suivre ».',
  how: 'Comment vous joindre ?',
  modes: { email: 'E-mail', sms: 'SMS', webhook: 'Webhook' },
  email: 'Adresse e-mail',
  country: 'Pays',
  chooseCountry: 'Choisissez un pays',
  phone: 'Numéro de mobile',
  endpoint: 'URL du webhook',
  endpointHint:
    'Chaque message y est envoyé en JSON. Nous envoyons d’abord une requête de vérification, à laquelle il faut répondre.',
  contact: 'Adresse e-mail en cas de problème (facultatif)',
  contactHint: 'Pour les messages au sujet du webhook lui-même.',
  about: 'De quoi souhaitez-vous être informé ?',
  all: 'Tout ce qui concerne cette page',
  allHint: 'Tous les incidents et toutes les maintenances',
  some: 'Certains composants seulement',
  someHint: 'Les incidents et maintenances des composants choisis',
  incident: 'Cet incident seulement',
  maintenance: 'Cette maintenance seulement',
  submit: 'S’abonner',
  note: 'Une confirmation vous sera demandée. Chaque message contient un lien de désabonnement.',
  problem: 'Veuillez vérifier les champs signalés.',
  problems: {
    mode: 'Choisissez comment vous joindre.',
    email: 'Saisissez une adresse e-mail, par exemple ida@example.com.',
    phone_country: 'Choisissez le pays de votre numéro. Tous les pays ne peuvent pas être joints.',
    phone_number: 'Saisissez un numéro de mobile du pays choisi.',
    endpoint: 'Saisissez une URL accessible depuis Internet.',
    contact_email: 'Saisissez une adresse e-mail ou laissez ce champ vide.',
    component_ids: 'Choisissez au moins un composant qui figure encore sur la page.',
  },
  incidentOver: 'Il n’est plus possible de s’abonner à cet incident.',
  refused: 'Cette page n’accepte pas ce type d’abonnement.',
  tooMany: (count) => `Il y a eu trop d’abonnements. Veuillez réessayer dans ${minutes(count)}.`,
  taken:
    'Ce point de terminaison ne peut pas être abonné pour le moment. Adressez-vous à ses responsables ou à ceux de la page.',
  done: {
    email: {
      title: 'Consultez votre messagerie',
      text: 'Nous vous avons envoyé un lien. Ouvrez-le dans les sept jours pour confirmer votre abonnement ; d’ici là, aucun message n’est envoyé. Si vous recevez déjà ces messages, vous n’avez rien à faire et aucun nouveau lien ne vous parvient.',
      hint: 'Rien après quelques minutes ? Regardez dans le courrier indésirable, ou vérifiez l’adresse et recommencez.',
    },
    sms: {
      title: 'Consultez votre téléphone',
      text: 'Nous vous avons envoyé un SMS avec un lien. Ouvrez-le dans les sept jours pour confirmer votre abonnement ; d’ici là, aucun message n’est envoyé. Si vous recevez déjà ces messages, vous n’avez rien à faire et aucun nouveau lien ne vous parvient.',
      hint: 'Rien après quelques minutes ? Vérifiez le numéro et recommencez.',
    },
    webhook: {
      title: 'Webhook abonné',
      text: (endpoint) =>
        `Nous envoyons une requête de vérification à ${endpoint}. Dès qu’elle reçoit une réponse, les messages y sont envoyés.`,
      secret: 'Secret de signature',
      secretHint:
        'Il n’est affiché que maintenant. Il sert à vérifier la signature de chaque requête, comme le décrit Standard Webhooks.',
    },
  },
  other: 'Autres moyens de suivre',
  otherText: 'Les flux et le calendrier ne demandent pas d’abonnement.',
  manage: {
    title: 'Votre abonnement',
    address: 'Les messages vont à',
    receives: 'M’envoyer des messages',
    receivesHint: 'Désactivez cette option pour faire une pause : l’abonnement reste, rien n’est envoyé.',
    save: 'Enregistrer',
    saved: 'Vos modifications sont enregistrées.',
    pending: 'Cet abonnement n’est pas encore confirmé. Ouvrez le lien du message que nous avons envoyé.',
    quarantined:
      'Des messages à cette adresse ont échoué, nous n’en envoyons donc plus. Enregistrez avec les messages activés pour les recevoir de nouveau.',
    oneIncident: 'Cet abonnement porte sur un seul incident :',
    unsubscribeText: 'Si vous ne souhaitez plus aucun message, mettez fin à votre abonnement.',
    unsubscribe: 'Se désabonner',
    link: 'Modifier votre abonnement',
  },
};

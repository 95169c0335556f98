import { plurals } from '../../words/plurals.ts';
import type { PagesWords } from '../words/pages.ts';

const pagesOf = plurals('fr', { one: 'page', other: 'pages' });

export const pages: PagesWords = {
  title: 'Pages de statut',
  newPage: 'Nouvelle page',
  none: 'Pas encore de page de statut',
  noneText:
    'Une page de statut montre à vos utilisateurs l’état de vos services et leur envoie des nouvelles. Un nom suffit pour commencer.',
  page: 'Page',
  address: 'Adresse',
  visibleTo: 'Visible par',
  visibility: {
    public: 'Tout le monde',
    team: 'Membres de l’équipe',
    addresses: 'Certaines adresses',
    hidden: 'absente des moteurs de recherche',
  },
  updates: 'Messages en 30 jours',
  openPage: 'Ouvrir la page',
  used: (used, limit) => `${used} sur ${pagesOf(limit)} que permet votre offre`,
  limitReached: (limit) =>
    `Votre offre permet ${pagesOf(limit)}. Supprimez-en une, ou choisissez une offre plus grande.`,
  nameHint: 'Votre entreprise ou votre produit, tel que les visiteurs le connaissent.',
  subdomain: 'Sous-domaine',
  subdomainHint: 'Partie de l’adresse : 2 à 63 lettres, chiffres et traits d’union. Vide, il est tiré du nom.',
  template: 'Modèle',
  templates: {
    default: {
      name: 'Standard',
      text: 'Composants avec les barres de leurs jours et leur disponibilité, incidents, les sept derniers jours.',
    },
    compact: {
      name: 'Compact',
      text: 'Pour beaucoup de composants : une ligne chacun, en colonnes ; les groupes non touchés sont fermés.',
    },
    minimal: {
      name: 'Minimal',
      text: 'État, incidents et composants par leur nom. Ce qui est passé est dans l’historique.',
    },
  },
  tabs: {
    components: 'Composants',
    appearance: 'Apparence',
    settings: 'Réglages',
    domain: 'Domaine',
    email: 'E-mail',
    passwords: 'Mots de passe',
    subscribers: 'Abonnés',
  },
  newIncident: 'Nouvel incident',
  parts: 'Parties de la page',
  deleteTitle: 'Supprimer la page ?',
  deleteText: 'Ses composants, incidents et abonnés sont supprimés avec elle. Son adresse devient libre pour d’autres.',
};

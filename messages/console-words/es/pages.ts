import { plurals } from '../../words/plurals.ts';
import type { PagesWords } from '../words/pages.ts';

const pagesOf = plurals('es', { one: 'página', other: 'páginas' });

export const pages: PagesWords = {
  title: 'Páginas de estado',
  newPage: 'Nueva página',
  none: 'Aún no hay páginas de estado',
  noneText:
    'Una página de estado muestra a sus usuarios cómo están sus servicios y les envía novedades. Basta un nombre para empezar.',
  page: 'Página',
  address: 'Dirección',
  visibleTo: 'Visible para',
  visibility: {
    public: 'Todos',
    team: 'Miembros del equipo',
    addresses: 'Algunas direcciones',
    hidden: 'no en buscadores',
  },
  updates: 'Mensajes en 30 días',
  openPage: 'Abrir página',
  used: (used, limit) => `${used} de ${pagesOf(limit)} que permite su plan`,
  limitReached: (limit) => `Su plan permite ${pagesOf(limit)}. Elimine una, o elija un plan mayor.`,
  nameHint: 'Su empresa o producto, como lo conocen los visitantes.',
  subdomain: 'Subdominio',
  subdomainHint: 'Parte de la dirección: de 2 a 63 letras, cifras y guiones. Vacío, se forma a partir del nombre.',
  template: 'Plantilla',
  templates: {
    default: {
      name: 'Estándar',
      text: 'Componentes con barras de sus días y disponibilidad, incidentes, los últimos siete días.',
    },
    compact: {
      name: 'Compacta',
      text: 'Para muchos componentes: una línea cada uno, en columnas; los grupos no afectados están cerrados.',
    },
    minimal: {
      name: 'Mínima',
      text: 'Estado, incidentes y componentes por su nombre. Lo pasado está en el historial.',
    },
  },
  tabs: {
    components: 'Componentes',
    appearance: 'Aspecto',
    settings: 'Ajustes',
    domain: 'Dominio',
    email: 'Correo',
    passwords: 'Contraseñas',
    subscribers: 'Suscriptores',
  },
  newIncident: 'Nuevo incidente',
  parts: 'Partes de la página',
  deleteTitle: '¿Eliminar la página?',
  deleteText: 'Sus componentes, incidentes y suscriptores se eliminan con ella. Su dirección queda libre para otros.',
};

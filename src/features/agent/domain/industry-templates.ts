/** The templates that fit several trades (specification, section 3: three ids). */
export const generalTemplateIds = ['hospitality', 'healthcare', 'retail'] as const
/** The templates of one trade each: the industries of the site (specification, section 2). */
export const tradeTemplateIds = [
  'hotels-resorts',
  'restaurants-cafes',
  'government-services',
  'tourism-travel',
  'tech-saas',
  'call-centers-bpos',
  'retail-ecommerce',
  'clinics-wellness',
] as const
export const industryTemplateIds = [...generalTemplateIds, ...tradeTemplateIds] as const
export type IndustryTemplateId = (typeof industryTemplateIds)[number]

interface IndustryTemplate {
  name: string
  /** The businesses that it suits. */
  suits: string
  /** What an agent of this trade does once it is taught. */
  tasks: readonly string[]
  /** What callers of this trade say first. A test offers these sentences. */
  asks: readonly string[]
}

export const industryTemplates: Record<IndustryTemplateId, IndustryTemplate> = {
  hospitality: {
    name: 'Hospitality',
    suits: 'Hotels, resorts, restaurants, cafes',
    tasks: ['Bookings and changes', 'Opening hours and directions', 'Requests for the front desk'],
    asks: ['I would like to book', 'Is breakfast included?', 'Call me back'],
  },
  healthcare: {
    name: 'Healthcare',
    suits: 'Clinics, practices, wellness',
    tasks: ['Appointments and changes', 'What to bring and when to come', 'Passing urgent calls to a person'],
    asks: ['I need an appointment', 'What do I have to bring?', 'Call me back'],
  },
  retail: {
    name: 'Retail',
    suits: 'Shops and online stores',
    tasks: ['Order status and returns', 'Stock and store hours', 'Questions before buying'],
    asks: ['Where is my parcel?', 'Do you have it in stock?', 'Call me back'],
  },
  'hotels-resorts': {
    name: 'Hotels & Resorts',
    suits: 'Rooms, late arrivals, spa and dining',
    tasks: ['Room bookings and changes', 'Late arrivals and night access', 'Requests from the rooms'],
    asks: ['I would like to book a room', 'Can I still get in at one in the morning?', 'Where do I park?'],
  },
  'restaurants-cafes': {
    name: 'Restaurants & Cafes',
    suits: 'Tables, takeaway, allergies',
    tasks: ['Table bookings and changes', 'Menu and allergies', 'Takeaway orders'],
    asks: ['I would like to book a table', 'Is there anything without gluten?', 'Can I order a takeaway?'],
  },
  'government-services': {
    name: 'Government Services',
    suits: 'City halls and public offices',
    tasks: ['Appointments at the counter', 'Papers to bring', 'The right department'],
    asks: ['I need an appointment', 'What do I have to bring?', 'Who is responsible for street lights?'],
  },
  'tourism-travel': {
    name: 'Tourism & Travel',
    suits: 'Tours, agencies, tickets',
    tasks: ['Tour bookings and changes', 'Meeting points and times', 'Groups'],
    asks: ['I would like to book a tour', 'Where does the bus leave from?', 'Do you take groups?'],
  },
  'tech-saas': {
    name: 'Tech & SaaS',
    suits: 'Support lines and product demos',
    tasks: ['First-line support', 'Demo bookings', 'Cases for your team'],
    asks: ['I cannot log in', 'Is it down, or is it me?', 'I would like to book a demo'],
  },
  'call-centers-bpos': {
    name: 'Call Centers & BPOs',
    suits: 'Peaks, routine calls, nights',
    tasks: ['Calls that would wait', 'Routine requests', 'Passing on to your people'],
    asks: ['I want to change my address', 'I need somebody from claims', 'Call me back'],
  },
  'retail-ecommerce': {
    name: 'Retail & E-commerce',
    suits: 'Parcels, stock, returns',
    tasks: ['Order status', 'Stock and store hours', 'Returns and exchange'],
    asks: ['Where is my parcel?', 'Do you have it in blue?', 'Can I bring it back to the shop?'],
  },
  'clinics-wellness': {
    name: 'Clinics & Wellness',
    suits: 'Doctors, dentists, spas, vets',
    tasks: ['Appointments made and moved', 'How to prepare', 'Passing urgent calls to a person'],
    asks: ['I need an appointment', 'Do I come on an empty stomach?', 'It is urgent'],
  },
}

/** One thing callers ask, and what the agent does about it. */
export interface Use {
  title: string
  quote: string
  answer: string
}

const use = (title: string, quote: string, answer: string): Use => ({ title, quote, answer })

/** Six uses for each industry, in the order in which its page shows them. */
export const industryUses = {
  'hotels-resorts': [
    use('Reservations', 'Do you have a double for two nights?', 'Checks availability and takes the booking.'),
    use(
      'Late arrival',
      'My flight lands at one. Can I still get in?',
      'Explains night access and leaves a note for the morning team.',
    ),
    use(
      'In-room requests',
      'Could we have two more towels?',
      'Logs the request and passes it to housekeeping.',
    ),
    use(
      'Spa and dining',
      'Is there a table on the terrace at eight?',
      'Books the table or the treatment in the right calendar.',
    ),
    use(
      'Guest questions',
      'Where do I park?',
      'Answers from your own information: parking, breakfast, pets, pool.',
    ),
    use(
      'Overflow',
      'I have been on hold twice already.',
      'Takes the next call while your desk serves the first.',
    ),
  ],
  'restaurants-cafes': [
    use('Table bookings', 'A table for six on Saturday?', 'Checks the evening and books the table.'),
    use('Changes', 'We will be eight, not six.', 'Finds the booking, changes it and confirms.'),
    use('Opening hours', 'Are you open on Monday?', 'Answers with your hours, holidays included.'),
    use(
      'Menu and allergies',
      'Is there anything without gluten?',
      'Answers from the menu you gave it, and asks your kitchen where it must.',
    ),
    use(
      'Takeaway',
      'Can I pick up two pizzas at seven?',
      'Takes the order and the name, and passes both on.',
    ),
    use(
      'Events',
      'Do you do birthdays for thirty?',
      'Notes date, number and wishes, and hands the caller to you.',
    ),
  ],
  'government-services': [
    use('Appointments', 'I need to renew my passport.', 'Offers free times and books one.'),
    use('Documents', 'What do I have to bring?', 'Lists the papers for the service the caller asks about.'),
    use(
      'Opening hours',
      'Is the office open on Friday afternoon?',
      'Answers day and night, holidays included.',
    ),
    use('Directions', 'Which entrance is it?', 'Tells the way, the floor and the counter.'),
    use(
      'Languages',
      'Is there someone who speaks Spanish?',
      'Goes on in the caller’s language, if your plan includes it.',
    ),
    use('Routing', 'Who is responsible for street lights?', 'Finds the department and passes the call on.'),
  ],
  'tourism-travel': [
    use('Tour bookings', 'Two places on the morning tour?', 'Checks the tour and books the places.'),
    use(
      'Changes',
      'My flight moved. Can we come a day later?',
      'Finds the booking and moves it, or hands it to you.',
    ),
    use(
      'Time zones',
      'Are you still awake over there?',
      'Answers at any hour, in every language your plan includes.',
    ),
    use('Meeting points', 'Where does the bus leave from?', 'Explains the place and the time.'),
    use('Weather and season', 'Does the boat go out in the rain?', 'Answers from your own rules.'),
    use('Groups', 'We are a class of twenty-five.', 'Takes the details and passes the request to your team.'),
  ],
  'tech-saas': [
    use(
      'First-line support',
      'I cannot log in.',
      'Walks through your steps, and opens a case when they do not help.',
    ),
    use(
      'Demo bookings',
      'Can somebody show me the product?',
      'Finds a free time in your calendar and books the demo.',
    ),
    use(
      'Lead qualification',
      'Does it work for a team of forty?',
      'Asks your questions and writes the answers into your CRM.',
    ),
    use(
      'Billing questions',
      'Why is there a second invoice?',
      'Explains what it may explain, and passes on the rest.',
    ),
    use('Outages', 'Is it down, or is it me?', 'Gives your current status to every caller at once.'),
    use('Follow-up', 'Please call me back tomorrow at nine.', 'Places the call at nine.'),
  ],
  'call-centers-bpos': [
    use(
      'Peaks',
      'All lines are busy.',
      'Answers the calls that would wait, as many as your plan has lines for.',
    ),
    use(
      'Routine calls',
      'I only want to change my address.',
      'Takes the frequent requests from beginning to end.',
    ),
    use(
      'Routing',
      'I need somebody from claims.',
      'Finds out what it is about and passes the call to the right queue.',
    ),
    use('Outbound calls', 'I asked to be called back.', 'Places call-backs and reminders from your list.'),
    use(
      'Quality',
      'What did the customer say, exactly?',
      'Every call has a transcript, a sentiment and an outcome.',
    ),
    use('Nights', 'Is anybody there?', 'Holds the line when the last shift has gone home.'),
  ],
  'retail-ecommerce': [
    use('Order status', 'Where is my parcel?', 'Looks the order up in your system and tells.'),
    use('Stock', 'Do you have it in blue?', 'Answers from your stock, through your own API.'),
    use('Returns', 'Can I bring it back to the shop?', 'Explains your rules and starts the return.'),
    use('Opening hours', 'How long are you open tonight?', 'Answers for each of your shops.'),
    use('Product questions', 'Does it fit a queen-size bed?', 'Answers from your product information.'),
    use(
      'Call-backs',
      'Could somebody ring me about the kitchen?',
      'Takes name, number and topic, and calls back if you want it to.',
    ),
  ],
  'clinics-wellness': [
    use('Appointments', 'When is the next free appointment?', 'Offers the free times and books one.'),
    use('Rescheduling', 'I cannot come on Tuesday.', 'Moves the appointment and frees the old time.'),
    use('Reminders', 'Was it at nine or at ten?', 'Confirms the time, and can call ahead to remind.'),
    use(
      'Preparation',
      'Do I have to come on an empty stomach?',
      'Answers with the instructions you gave it.',
    ),
    use('Urgent calls', 'I think it cannot wait.', 'Passes the call to the person you named, at once.'),
    use('Treatments', 'How long does the massage take?', 'Answers from your own list and books the time.'),
  ],
} as const satisfies Record<string, readonly Use[]>

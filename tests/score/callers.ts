import { noKnowledge, weekdays, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'

/** A business whose agent is asked, and what callers ask it. */
export interface Business {
  name: string
  knowledge: AgentKnowledge
  /** Lines `required : question | question`; what is after `!` must not be said. `?` requires that it does not know, or lets a person answer. */
  asked: string
}

const daily = (from: string, until: string): AgentKnowledge['hours'] =>
  Object.fromEntries(weekdays.map((day) => [day, [{ from, until }]])) as unknown as AgentKnowledge['hours']
const answersOf = (text: string): AgentKnowledge['answers'] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' = '))
    .map(([question = '', answer = '']) => ({ question, answer, origin: 'written' }))

/** Four businesses, 60 questions each: 48 about what they were taught, 12 about what they were not. */
export const businesses: readonly Business[] = [
  {
    name: 'Harbour Hotel',
    knowledge: {
      ...noKnowledge,
      about: 'A family hotel with 24 rooms at the harbour of Lindgren.',
      address: '4 Shore Road, Lindgren',
      hours: daily('06:00', '23:00'),
      complaints: 'Say sorry, take name, room and number, and promise that the manager calls back.',
      emergencies: 'Tell the caller to hang up and dial 112 at once.',
      transfer: { ...noKnowledge.transfer, number: '+12025550123' },
      services: [
        { name: 'Sauna', price: '$20', minutes: 60 },
        { name: 'Airport shuttle', price: '$35 a person', minutes: null },
      ],
      answers: answersOf(`
Are dogs welcome? = Dogs are welcome for $10 a night.
When is check-in? = Check-in is from 15:00.
When is check-out? = Check-out is until 11:00.
Is breakfast included? = Breakfast is included, from 7:00 to 10:00.
Is there parking? = Parking is free behind the house.
Can I leave my luggage? = Luggage can stay in the locked room beside the desk, free of charge.
Can I charge an electric car? = There are two charging stations, at $0.40 a kilowatt-hour.
Can I cancel my booking? = A booking can be cancelled free of charge up to 48 hours before arrival.
`),
    },
    asked: `
\\b10\\b ! \\b20\\b : Can I bring my dog? | Are dogs allowed in the rooms? | We travel with a labrador, is that all right? | What does it cost to bring my pet?
15:00 ! 11:00 : When can we get into our room? | From what time is check-in? | How early can I check in? | what time can i arrive at the earliest
11:00 ! 15:00 : How late can I check out? | By when do we have to leave the room? | When is checkout? | Until when can we keep our room on the last day?
7:00 : Is breakfast included in the price? | From when can we have breakfast? | Do I have to pay extra for breakfast? | what time is brekfast
free|behind ! \\$ : Where can I park? | Do you have a car park? | Is parking free? | Do you have somewhere to leave the car?
desk|locked : Can we leave our bags after check-out? | Is there somewhere to store a suitcase? | Could you keep our luggage until the evening? | What do we do with our bags before the room is ready?
charging|0\\.40|0\\.4 : Can I charge my Tesla? | Do you have a charger for electric cars? | What does charging the car cost? | Is there an EV station?
48 : Can I cancel? | Until when can I cancel free of charge? | What if my plans change? | Do I get charged if I cancel two days before?
\\b20\\b ! \\b35\\b : How much is the sauna? | What do you charge for the sauna? | Is the sauna free? | sauna price please
\\b35\\b ! \\b20\\b : Do you pick people up at the airport? | How much is the shuttle from the airport? | What does the airport shuttle cost? | Is there a transfer from the airport?
shore : What is your address? | Where are you? | How do I find the hotel? | Which street are you on?
23:00|6:00|24 rooms|family|112|hang up : Until when is the desk open? | What kind of hotel are you? | There is a fire in the corridor! | My husband is not breathing, help!
? : Do you have a swimming pool? | Is there a gym? | Do you rent out bicycles? | How far is it to the beach? | Do you have rooms with a balcony? | Can I get a massage? | Is there a cot for our baby? | Do you take American Express? | What is the password of the wifi? | Are you hiring? | Is the owner there today? | How is the weather?
`,
  },
  {
    name: 'Mill Dental Clinic',
    knowledge: {
      ...noKnowledge,
      about: 'A dental clinic for adults and children.',
      address: '9 Mill Lane, second floor',
      hours: daily('08:30', '17:30'),
      bookings: 'Take name, number and the day that suits, and say that the desk confirms it.',
      emergencies: 'For heavy bleeding or trouble breathing, tell the caller to hang up and dial 911.',
      services: [
        { name: 'Teeth cleaning', price: '$90', minutes: 45 },
        { name: 'Check-up', price: '$60', minutes: 30 },
        { name: 'Whitening', price: '$250', minutes: 75 },
      ],
      answers: answersOf(`
Do you take new patients? = We take new patients; the first visit takes 40 minutes.
What do I have to bring? = Bring your insurance card and a list of your medicines.
Do you treat children? = We treat children from the age of 3.
Can I be sedated? = Sedation is possible for $150, on Tuesdays.
What if I do not show up? = A visit that is not cancelled 24 hours before costs $40.
Is there parking? = Two hours of parking are free in the garage next door.
Do you accept insurance? = We accept all public insurances.
`),
    },
    asked: `
new patients|yes|40 : Are you taking new patients? | Can I come to you, I have never been there? | I would like to become a patient | Do you accept new people?
insurance card : What should I bring? | Do I need any papers for my visit? | what must I take with me to the appointment | Which documents do you need?
\\b3\\b : From what age do you treat children? | Do you treat kids? | My daughter is four, can she come? | Can I bring my son to you?
150 ! \\b90\\b : Can you put me to sleep? | How much is sedation? | I am afraid of the dentist, can I be sedated? | On which day can I be sedated?
\\b40\\b ! \\b60\\b : What happens if I don't show up? | Do I have to pay if I miss my appointment? | What do you charge for a missed visit? | I forgot my appointment, does it cost anything?
2 hours|garage|free : Where can I park? | Is parking free? | How long can I park in the garage? | Do you have parking?
public|accept : Do you take my insurance? | Is my health insurance accepted? | Which insurances do you accept? | Do you accept public insurance?
\\b90\\b ! \\b60\\b : What does teeth cleaning cost? | How much do you charge for a cleaning? | price of teeth cleaning? | How much is it to have my teeth cleaned?
30 minutes|\\b60\\b ! \\b90\\b : How long does a check-up take? | How much is a check-up? | What do I pay for a checkup? | Is a check-up expensive?
250 : How much is whitening? | What does it cost to whiten my teeth? | Do you do whitening? | teeth whitening price
17:30|8:30 : When do you close? | When do you open? | Are you open on Sunday? | How late are you open today?
mill|911|hang up : What is your address? | Where are you? | My mouth will not stop bleeding and I cannot breathe! | Which floor are you on?
? : Do you do braces? | Can you remove a tattoo? | Who won the match last night? | Is the dentist married? | Do you sell toothbrushes? | Do you make house calls? | Can I pay in three instalments? | Do you have an X-ray machine? | What is your fax number? | Is there a waiting list for implants? | Do you speak Klingon? | When will the doctor call me back?
`,
  },
  {
    name: 'Terrazza',
    knowledge: {
      ...noKnowledge,
      about: 'An Italian restaurant with wood-fired pizza.',
      address: '31 Market Street',
      hours: daily('12:00', '22:00'),
      bookings: 'Take name, number, day, time and guests, and say that we confirm it.',
      services: [
        { name: 'Lunch menu', price: '$14', minutes: null },
        { name: 'Private room', price: '$120', minutes: null },
      ],
      answers: answersOf(`
Do you have vegan dishes? = Three main courses are vegan.
Is there a table outside? = The terrace has 40 seats, without reservation.
Do you deliver? = We do not deliver, but you can fetch your order after 25 minutes.
Is there a children’s menu? = The children’s menu costs $9.
Do you have anything without gluten? = Every pizza can be had without gluten for $3 more.
Do you have gift vouchers? = Gift vouchers start at $25.
Is there a dress code? = There is no dress code.
Can I bring my own wine? = Your own wine is welcome for $15 a bottle.
Do you have live music? = There is live music on Fridays from 19:00.
`),
    },
    asked: `
vegan|\\b3\\b : Have you got anything vegan? | I eat no animal products, is there something for me? | Are there vegan main courses? | do you have vegn food
terrace|\\b40\\b : Can we get a table outside? | Can we sit outdoors? | Is there a terrace? | Do you have outdoor seating?
not deliver|fetch|25|no\\b : Do you deliver to my home? | Can you bring the food to us? | Do you do delivery? | How soon can I fetch my order?
\\b9\\b ! \\b14\\b : Is there a menu for children? | What does the kids menu cost? | Do you have something for children? | How much is the children's menu?
\\b3\\b ! \\b9\\b : Is there anything without gluten? | Can I have a gluten free pizza? | I have coeliac disease, what can I eat? | How much more is a pizza without gluten?
25 ! \\b15\\b : Do you sell gift vouchers? | Can I buy a gift card? | What is the smallest voucher? | I want to give dinner as a present, is there a voucher?
no\\b|not : Is there a dress code? | Do I have to wear a tie? | What should I wear? | Can I come in shorts?
15 ! 25 : Can I bring my own wine? | What is the corkage fee? | May we bring a bottle? | How much is it to bring our own bottle?
friday|19:00 : Do you have live music? | When is there music? | On which evening is there a band? | At what time does the live music start?
14 ! \\b9\\b : How much is the lunch menu? | What does lunch cost? | Is there a lunch menu? | lunch price?
22:00|12:00 : When do you close? | Are you open on Sunday? | When do you open for lunch? | How late are you open?
120|market|italian|pizza : How much is the private room? | What is your address? | What kind of food do you have? | Where are you?
? : Do you have sushi? | Can I smoke? | Is the chef famous? | Do you have a parking space? | Do you accept bitcoin? | Is there an elevator? | Are there nuts in the cake? | Do you have a high chair? | Can I bring my dog? | Which wine goes with fish? | Do you cater weddings? | What is your revenue?
`,
  },
  {
    name: 'Spoke Bicycles',
    knowledge: {
      ...noKnowledge,
      about: 'A bicycle shop with a workshop.',
      address: '12 Market Square',
      hours: daily('10:00', '18:30'),
      complaints: 'Say sorry and take name, number and order number.',
      services: [
        { name: 'Puncture repair', price: '$15', minutes: 20 },
        { name: 'Full service', price: '$85', minutes: 120 },
        { name: 'Gift wrapping', price: '$5', minutes: null },
      ],
      answers: answersOf(`
Can I return an item? = Returns are accepted for 30 days with the receipt.
Where is my order? = The tracking link is in your email; parcels take 4 days.
Do you sell gift cards? = Gift cards start at $10.
Do you have bikes for children? = Bikes for children start at 12 inches and $180.
Is there a guarantee? = Every bicycle has a guarantee of 2 years.
Can I rent a bike? = Bikes can be rented for $22 a day.
Do you buy used bikes? = We take used bikes in part exchange, up to $200.
Can I pay in instalments? = From $300 you can pay in 6 instalments without interest.
`),
    },
    asked: `
\\b30\\b : I would like to return something | How many days do I have to return an item? | Can I bring it back? | I bought the wrong helmet, can I give it back?
tracking|\\b4\\b : Where is my order now? | Where is my parcel? | How long does shipping take? | My delivery has not come, where is it?
\\b10\\b ! \\b5\\b : Do you have gift cards? | Can I buy a gift card? | What is the cheapest gift card? | I need a gift card for my nephew
12|180 : Are there bikes for kids? | What does a bike for a child cost? | How small is your smallest children's bicycle? | I am looking for a bike for my son
\\b2\\b : Is there a guarantee? | How long is the warranty? | What if my bike breaks in a year? | Do your bicycles come with a guarantee?
22 ! 200 : Can I rent a bike? | How much is it to rent a bicycle for a day? | Do you hire out bikes? | What does renting cost?
200 ! 300 : Do you buy used bikes? | Can I trade in my old bike? | What do I get for my old bicycle? | Do you take second-hand bikes?
\\b6\\b|300 : Can I pay in instalments? | Is there financing? | Can I pay monthly? | In how many instalments can I pay?
\\b15\\b ! 85 : How much is it to fix a flat tyre? | My tyre is flat, what does it cost? | puncture repair price | How long does a puncture repair take?
85 ! \\b15\\b : What does a full service cost? | How much is a service? | I want my bike serviced, how much is that? | price for full servise
18:30|10:00 : When do you close? | How late are you open? | Are you open on Monday? | When do you open?
market|\\b5\\b|workshop|bicycle : What is your address? | How do I get to you? What is the address? | How much is gift wrapping? | What do you sell?
? : Do you sell scooters? | Do you repair watches? | Can you ship to Japan? | Is there a student discount? | What is the capital of Mongolia? | Do you have a loyalty programme? | Do you have it in blue? | Can I test ride in the woods? | How heavy is the frame? | Is the mechanic in today? | Do you insure bikes? | Can you lend me money?
`,
  },
]

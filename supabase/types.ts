// Generated from the schemas by `npm run types:db`. Do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      account_notes: {
        Row: {
          at: string
          author_email: string
          id: number
          kind: string
          minutes: number | null
          note: string
          user_id: string
        }
        Insert: {
          at?: string
          author_email: string
          id?: never
          kind: string
          minutes?: number | null
          note: string
          user_id: string
        }
        Update: {
          at?: string
          author_email?: string
          id?: never
          kind?: string
          minutes?: number | null
          note?: string
          user_id?: string
        }
        Relationships: []
      }
      agent_knowledge: {
        Row: { knowledge: Json; updated_at: string; user_id: string }
        Insert: { knowledge: Json; updated_at?: string; user_id: string }
        Update: { knowledge?: Json; updated_at?: string; user_id?: string }
        Relationships: []
      }
      agent_settings: {
        Row: {
          business_name: string | null
          greeting: string | null
          industry_template: string | null
          updated_at: string
          user_id: string
          voice_sample_bytes: number | null
          voice_sample_name: string | null
          voice_sample_path: string | null
        }
        Insert: {
          business_name?: string | null
          greeting?: string | null
          industry_template?: string | null
          updated_at?: string
          user_id: string
          voice_sample_bytes?: number | null
          voice_sample_name?: string | null
          voice_sample_path?: string | null
        }
        Update: {
          business_name?: string | null
          greeting?: string | null
          industry_template?: string | null
          updated_at?: string
          user_id?: string
          voice_sample_bytes?: number | null
          voice_sample_name?: string | null
          voice_sample_path?: string | null
        }
        Relationships: []
      }
      api_keys: {
        Row: {
          created_at: string
          hash: string
          hint: string
          id: string
          kind: string
          last_used_at: string | null
          name: string
          user_id: string
        }
        Insert: {
          created_at?: string
          hash: string
          hint: string
          id?: string
          kind: string
          last_used_at?: string | null
          name: string
          user_id: string
        }
        Update: {
          created_at?: string
          hash?: string
          hint?: string
          id?: string
          kind?: string
          last_used_at?: string | null
          name?: string
          user_id?: string
        }
        Relationships: []
      }
      audio_demos: {
        Row: {
          audio_url: string
          deleted_at: string | null
          description: string
          id: string
          industry: string
          seconds: number | null
          title: string
          updated_at: string
        }
        Insert: {
          audio_url: string
          deleted_at?: string | null
          description?: string
          id: string
          industry: string
          seconds?: number | null
          title: string
          updated_at?: string
        }
        Update: {
          audio_url?: string
          deleted_at?: string | null
          description?: string
          id?: string
          industry?: string
          seconds?: number | null
          title?: string
          updated_at?: string
        }
        Relationships: []
      }
      audit_log: {
        Row: {
          action: string
          actor: string | null
          actor_email: string | null
          after: Json | null
          at: string
          before: Json | null
          id: number
          request_id: string | null
          subject: string
          subject_id: string
        }
        Insert: {
          action: string
          actor?: string | null
          actor_email?: string | null
          after?: Json | null
          at?: string
          before?: Json | null
          id?: never
          request_id?: string | null
          subject: string
          subject_id: string
        }
        Update: {
          action?: string
          actor?: string | null
          actor_email?: string | null
          after?: Json | null
          at?: string
          before?: Json | null
          id?: never
          request_id?: string | null
          subject?: string
          subject_id?: string
        }
        Relationships: []
      }
      blocked_callers: {
        Row: { created_at: string; phone_number: string; user_id: string }
        Insert: { created_at?: string; phone_number: string; user_id: string }
        Update: { created_at?: string; phone_number?: string; user_id?: string }
        Relationships: []
      }
      booking_setups: {
        Row: { setup: Json; updated_at: string; user_id: string }
        Insert: { setup: Json; updated_at?: string; user_id: string }
        Update: { setup?: Json; updated_at?: string; user_id?: string }
        Relationships: []
      }
      bookings: {
        Row: {
          about: string | null
          bookable: string | null
          call_id: string | null
          changed_call: string | null
          code: string
          created_at: string
          done_at: string | null
          email: string | null
          ends_at: string | null
          id: string
          name: string | null
          news_at: string | null
          offer: string | null
          origin: string
          people: number
          phone_number: string | null
          proposed_at: string | null
          provider_call_id: string | null
          starts_at: string
          state: string
          unchecked_since: string | null
          units: string[]
          untold_since: string | null
          user_id: string
        }
        Insert: {
          about?: string | null
          bookable?: string | null
          call_id?: string | null
          changed_call?: string | null
          code?: string
          created_at?: string
          done_at?: string | null
          email?: string | null
          ends_at?: string | null
          id?: string
          name?: string | null
          news_at?: string | null
          offer?: string | null
          origin?: string
          people?: number
          phone_number?: string | null
          proposed_at?: string | null
          provider_call_id?: string | null
          starts_at: string
          state?: string
          unchecked_since?: string | null
          units?: string[]
          untold_since?: string | null
          user_id: string
        }
        Update: {
          about?: string | null
          bookable?: string | null
          call_id?: string | null
          changed_call?: string | null
          code?: string
          created_at?: string
          done_at?: string | null
          email?: string | null
          ends_at?: string | null
          id?: string
          name?: string | null
          news_at?: string | null
          offer?: string | null
          origin?: string
          people?: number
          phone_number?: string | null
          proposed_at?: string | null
          provider_call_id?: string | null
          starts_at?: string
          state?: string
          unchecked_since?: string | null
          units?: string[]
          untold_since?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'bookings_call_id_fkey'
            columns: ['call_id']
            isOneToOne: false
            referencedRelation: 'calls'
            referencedColumns: ['id']
          },
        ]
      }
      calendars: {
        Row: {
          accepts_delay: boolean
          created_at: string
          endpoint_id: string | null
          failing_since: string | null
          id: string
          if_silent: string
          kind: string
          name: string
          problem: string | null
          read_at: string | null
          tried_at: string
          unit: string | null
          url: string | null
          user_id: string
        }
        Insert: {
          accepts_delay?: boolean
          created_at?: string
          endpoint_id?: string | null
          failing_since?: string | null
          id?: string
          if_silent?: string
          kind: string
          name: string
          problem?: string | null
          read_at?: string | null
          tried_at?: string
          unit?: string | null
          url?: string | null
          user_id: string
        }
        Update: {
          accepts_delay?: boolean
          created_at?: string
          endpoint_id?: string | null
          failing_since?: string | null
          id?: string
          if_silent?: string
          kind?: string
          name?: string
          problem?: string | null
          read_at?: string | null
          tried_at?: string
          unit?: string | null
          url?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'calendars_endpoint_id_fkey'
            columns: ['endpoint_id']
            isOneToOne: true
            referencedRelation: 'webhook_endpoints'
            referencedColumns: ['id']
          },
        ]
      }
      call_mail_readers: {
        Row: { email: string; stopped_at: string | null; token: string; user_id: string }
        Insert: { email: string; stopped_at?: string | null; token?: string; user_id: string }
        Update: { email?: string; stopped_at?: string | null; token?: string; user_id?: string }
        Relationships: []
      }
      call_mails: {
        Row: {
          call_id: string
          due_at: string
          email: string
          is_daily: boolean
          mailed_at: string | null
          user_id: string
        }
        Insert: {
          call_id: string
          due_at: string
          email: string
          is_daily: boolean
          mailed_at?: string | null
          user_id: string
        }
        Update: {
          call_id?: string
          due_at?: string
          email?: string
          is_daily?: boolean
          mailed_at?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'call_mails_call_id_fkey'
            columns: ['call_id']
            isOneToOne: false
            referencedRelation: 'calls'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'call_mails_user_id_email_fkey'
            columns: ['user_id', 'email']
            isOneToOne: false
            referencedRelation: 'call_mail_readers'
            referencedColumns: ['user_id', 'email']
          },
        ]
      }
      call_recordings: {
        Row: {
          bytes: number | null
          call_id: string
          created_at: string
          kept_at: string | null
          path: string
          user_id: string
        }
        Insert: {
          bytes?: number | null
          call_id: string
          created_at?: string
          kept_at?: string | null
          path?: never
          user_id: string
        }
        Update: {
          bytes?: number | null
          call_id?: string
          created_at?: string
          kept_at?: string | null
          path?: never
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'call_recordings_call_id_fkey'
            columns: ['call_id']
            isOneToOne: true
            referencedRelation: 'calls'
            referencedColumns: ['id']
          },
        ]
      }
      call_settings: {
        Row: {
          fallback_number: string | null
          limit_policy: string
          own_number: string | null
          paused: boolean
          record_calls: boolean
          record_consent_at: string | null
          record_consent_version: string | null
          summaries: string
          summaries_to: string[]
          updated_at: string
          user_id: string
        }
        Insert: {
          fallback_number?: string | null
          limit_policy?: string
          own_number?: string | null
          paused?: boolean
          record_calls?: boolean
          record_consent_at?: string | null
          record_consent_version?: string | null
          summaries?: string
          summaries_to?: string[]
          updated_at?: string
          user_id: string
        }
        Update: {
          fallback_number?: string | null
          limit_policy?: string
          own_number?: string | null
          paused?: boolean
          record_calls?: boolean
          record_consent_at?: string | null
          record_consent_version?: string | null
          summaries?: string
          summaries_to?: string[]
          updated_at?: string
          user_id?: string
        }
        Relationships: []
      }
      calls: {
        Row: {
          about: string | null
          blanked_at: string | null
          created_at: string
          direction: string
          doubted_since: string | null
          heard_at: string | null
          id: string
          kind: string
          limited_by: string | null
          marked_at: string | null
          outcome: string | null
          phone_number: string | null
          promised: string | null
          provider_call_id: string
          seconds: number
          sentiment: string | null
          started_at: string
          succeeded: boolean | null
          transcript: string | null
          user_id: string
          words: string
        }
        Insert: {
          about?: string | null
          blanked_at?: string | null
          created_at?: string
          direction: string
          doubted_since?: string | null
          heard_at?: string | null
          id?: string
          kind: string
          limited_by?: string | null
          marked_at?: string | null
          outcome?: string | null
          phone_number?: string | null
          promised?: string | null
          provider_call_id: string
          seconds: number
          sentiment?: string | null
          started_at: string
          succeeded?: boolean | null
          transcript?: string | null
          user_id: string
          words?: never
        }
        Update: {
          about?: string | null
          blanked_at?: string | null
          created_at?: string
          direction?: string
          doubted_since?: string | null
          heard_at?: string | null
          id?: string
          kind?: string
          limited_by?: string | null
          marked_at?: string | null
          outcome?: string | null
          phone_number?: string | null
          promised?: string | null
          provider_call_id?: string
          seconds?: number
          sentiment?: string | null
          started_at?: string
          succeeded?: boolean | null
          transcript?: string | null
          user_id?: string
          words?: never
        }
        Relationships: []
      }
      checkouts: {
        Row: {
          card: string | null
          claimed_by: string | null
          created_at: string
          email: string
          id: string
          is_parallel: boolean
          lease: string | null
          lease_expires_at: string | null
          link_asked_for: string | null
          may_be_unclaimed: boolean
          plan: string
          provider_failures: number
          state: string
          stripe_customer_id: string | null
          stripe_subscription_id: string | null
          updated_at: string
          user_id: string | null
        }
        Insert: {
          card?: string | null
          claimed_by?: string | null
          created_at?: string
          email: string
          id?: string
          is_parallel?: boolean
          lease?: string | null
          lease_expires_at?: string | null
          link_asked_for?: string | null
          may_be_unclaimed?: never
          plan: string
          provider_failures?: number
          state?: string
          stripe_customer_id?: string | null
          stripe_subscription_id?: string | null
          updated_at?: string
          user_id?: string | null
        }
        Update: {
          card?: string | null
          claimed_by?: string | null
          created_at?: string
          email?: string
          id?: string
          is_parallel?: boolean
          lease?: string | null
          lease_expires_at?: string | null
          link_asked_for?: string | null
          may_be_unclaimed?: never
          plan?: string
          provider_failures?: number
          state?: string
          stripe_customer_id?: string | null
          stripe_subscription_id?: string | null
          updated_at?: string
          user_id?: string | null
        }
        Relationships: []
      }
      faqs: {
        Row: { answer: string; deleted_at: string | null; id: string; question: string; updated_at: string }
        Insert: {
          answer: string
          deleted_at?: string | null
          id: string
          question: string
          updated_at?: string
        }
        Update: {
          answer?: string
          deleted_at?: string | null
          id?: string
          question?: string
          updated_at?: string
        }
        Relationships: []
      }
      leads: {
        Row: {
          created_at: string
          done_at: string | null
          email: string | null
          id: string
          kind: string
          name: string
          page: string
          phone: string | null
          visitor_mailed_at: string | null
          wish: string
        }
        Insert: {
          created_at?: string
          done_at?: string | null
          email?: string | null
          id: string
          kind: string
          name: string
          page: string
          phone?: string | null
          visitor_mailed_at?: string | null
          wish: string
        }
        Update: {
          created_at?: string
          done_at?: string | null
          email?: string | null
          id?: string
          kind?: string
          name?: string
          page?: string
          phone?: string | null
          visitor_mailed_at?: string | null
          wish?: string
        }
        Relationships: []
      }
      messages: {
        Row: {
          about: string
          call_id: string | null
          created_at: string
          done_at: string | null
          id: string
          is_urgent: boolean
          message: string
          name: string
          phone_number: string | null
          provider_call_id: string
          user_id: string
        }
        Insert: {
          about: string
          call_id?: string | null
          created_at?: string
          done_at?: string | null
          id?: string
          is_urgent: boolean
          message: string
          name: string
          phone_number?: string | null
          provider_call_id: string
          user_id: string
        }
        Update: {
          about?: string
          call_id?: string | null
          created_at?: string
          done_at?: string | null
          id?: string
          is_urgent?: boolean
          message?: string
          name?: string
          phone_number?: string | null
          provider_call_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'messages_call_id_fkey'
            columns: ['call_id']
            isOneToOne: false
            referencedRelation: 'calls'
            referencedColumns: ['id']
          },
        ]
      }
      minute_grants: {
        Row: {
          amount: number | null
          invoice: string | null
          kind: string
          minutes: number
          period_start: string
          plan: string | null
          plan_minutes: number | null
          source: string
          state: string
          stripe_subscription_id: string
          unit_amount: number | null
          user_id: string
          valid_from: string
          valid_to: string
        }
        Insert: {
          amount?: number | null
          invoice?: string | null
          kind: string
          minutes: number
          period_start: string
          plan?: string | null
          plan_minutes?: number | null
          source: string
          state: string
          stripe_subscription_id: string
          unit_amount?: number | null
          user_id: string
          valid_from: string
          valid_to: string
        }
        Update: {
          amount?: number | null
          invoice?: string | null
          kind?: string
          minutes?: number
          period_start?: string
          plan?: string | null
          plan_minutes?: number | null
          source?: string
          state?: string
          stripe_subscription_id?: string
          unit_amount?: number | null
          user_id?: string
          valid_from?: string
          valid_to?: string
        }
        Relationships: []
      }
      minute_ledger: {
        Row: {
          call_id: string | null
          created_at: string
          id: number
          minutes: number
          provider_event_id: string
          reason: string
          seconds: number | null
          user_id: string
        }
        Insert: {
          call_id?: string | null
          created_at?: string
          id?: never
          minutes: number
          provider_event_id: string
          reason: string
          seconds?: number | null
          user_id: string
        }
        Update: {
          call_id?: string | null
          created_at?: string
          id?: never
          minutes?: number
          provider_event_id?: string
          reason?: string
          seconds?: number | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'minute_ledger_call_id_fkey'
            columns: ['call_id']
            isOneToOne: false
            referencedRelation: 'calls'
            referencedColumns: ['id']
          },
        ]
      }
      minute_packages: {
        Row: {
          asked_at: string | null
          attempt: number
          cap_cents: number
          cents: number
          created_at: string
          id: string
          invoice: string | null
          minutes: number
          period_end: string
          period_start: string
          request: string
          state: string
          stripe_item: string | null
          stripe_subscription_id: string
          user_id: string
          voided_invoice: string | null
        }
        Insert: {
          asked_at?: string | null
          attempt?: number
          cap_cents: number
          cents: number
          created_at?: string
          id?: string
          invoice?: string | null
          minutes: number
          period_end: string
          period_start: string
          request: string
          state?: string
          stripe_item?: string | null
          stripe_subscription_id: string
          user_id: string
          voided_invoice?: string | null
        }
        Update: {
          asked_at?: string | null
          attempt?: number
          cap_cents?: number
          cents?: number
          created_at?: string
          id?: string
          invoice?: string | null
          minutes?: number
          period_end?: string
          period_start?: string
          request?: string
          state?: string
          stripe_item?: string | null
          stripe_subscription_id?: string
          user_id?: string
          voided_invoice?: string | null
        }
        Relationships: []
      }
      payment_findings: {
        Row: {
          checkout_id: string | null
          found_at: string
          kind: string
          resolved_at: string | null
          seen_at: string
          subject: string
        }
        Insert: {
          checkout_id?: string | null
          found_at?: string
          kind: string
          resolved_at?: string | null
          seen_at?: string
          subject: string
        }
        Update: {
          checkout_id?: string | null
          found_at?: string
          kind?: string
          resolved_at?: string | null
          seen_at?: string
          subject?: string
        }
        Relationships: [
          {
            foreignKeyName: 'payment_findings_checkout_id_fkey'
            columns: ['checkout_id']
            isOneToOne: false
            referencedRelation: 'checkouts'
            referencedColumns: ['id']
          },
        ]
      }
      payment_flags: {
        Row: {
          amount: number
          charge: string
          currency: string
          flagged_at: string
          kind: string
          reason: string | null
          status: string | null
          stripe_customer_id: string | null
          stripe_id: string
          stripe_subscription_id: string | null
          updated_at: string
          user_id: string | null
        }
        Insert: {
          amount: number
          charge: string
          currency: string
          flagged_at?: string
          kind: string
          reason?: string | null
          status?: string | null
          stripe_customer_id?: string | null
          stripe_id: string
          stripe_subscription_id?: string | null
          updated_at?: string
          user_id?: string | null
        }
        Update: {
          amount?: number
          charge?: string
          currency?: string
          flagged_at?: string
          kind?: string
          reason?: string | null
          status?: string | null
          stripe_customer_id?: string | null
          stripe_id?: string
          stripe_subscription_id?: string | null
          updated_at?: string
          user_id?: string | null
        }
        Relationships: []
      }
      phone_numbers: {
        Row: {
          account: string | null
          assigned_at: string | null
          at_provider: boolean
          bought: boolean
          chosen_for: string[]
          created_at: string
          given_back_at: string | null
          last_ring_at: string | null
          number: string
          provider_id: string | null
        }
        Insert: {
          account?: string | null
          assigned_at?: string | null
          at_provider?: boolean
          bought?: boolean
          chosen_for?: string[]
          created_at?: string
          given_back_at?: string | null
          last_ring_at?: string | null
          number: string
          provider_id?: string | null
        }
        Update: {
          account?: string | null
          assigned_at?: string | null
          at_provider?: boolean
          bought?: boolean
          chosen_for?: string[]
          created_at?: string
          given_back_at?: string | null
          last_ring_at?: string | null
          number?: string
          provider_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'phone_numbers_account_fkey'
            columns: ['account']
            isOneToOne: false
            referencedRelation: 'voice_agents'
            referencedColumns: ['account']
          },
        ]
      }
      plan_quotes: {
        Row: {
          amount_due: number
          currency: string
          expires_at: string
          id: string
          lines: Json
          plan: string
          price: string
          proration_date: number
          starting_balance: number
          stripe_subscription_id: string
          tax: number
          total: number
          used_at: string | null
          user_id: string
        }
        Insert: {
          amount_due: number
          currency: string
          expires_at: string
          id?: string
          lines: Json
          plan: string
          price: string
          proration_date: number
          starting_balance: number
          stripe_subscription_id: string
          tax: number
          total: number
          used_at?: string | null
          user_id: string
        }
        Update: {
          amount_due?: number
          currency?: string
          expires_at?: string
          id?: string
          lines?: Json
          plan?: string
          price?: string
          proration_date?: number
          starting_balance?: number
          stripe_subscription_id?: string
          tax?: number
          total?: number
          used_at?: string | null
          user_id?: string
        }
        Relationships: []
      }
      questions: {
        Row: {
          asked_at: string
          call_id: string | null
          calls: number
          done_at: string | null
          id: string
          key: string
          question: string
          user_id: string
        }
        Insert: {
          asked_at: string
          call_id?: string | null
          calls?: number
          done_at?: string | null
          id?: string
          key: string
          question: string
          user_id: string
        }
        Update: {
          asked_at?: string
          call_id?: string | null
          calls?: number
          done_at?: string | null
          id?: string
          key?: string
          question?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'questions_call_id_fkey'
            columns: ['call_id']
            isOneToOne: false
            referencedRelation: 'calls'
            referencedColumns: ['id']
          },
        ]
      }
      retention: {
        Row: { is_from_before: boolean; keep_days: number; told_at: string | null; user_id: string }
        Insert: { is_from_before?: boolean; keep_days?: number; told_at?: string | null; user_id: string }
        Update: { is_from_before?: boolean; keep_days?: number; told_at?: string | null; user_id?: string }
        Relationships: []
      }
      sent_mails: {
        Row: {
          id: number
          kind: string
          provider_id: string
          request_id: string | null
          sent_at: string
          user_id: string
        }
        Insert: {
          id?: never
          kind: string
          provider_id: string
          request_id?: string | null
          sent_at?: string
          user_id: string
        }
        Update: {
          id?: never
          kind?: string
          provider_id?: string
          request_id?: string | null
          sent_at?: string
          user_id?: string
        }
        Relationships: []
      }
      site_settings: {
        Row: {
          backup_bucket: string | null
          contact_email: string | null
          id: boolean
          maintenance_notice: string | null
          updated_at: string
        }
        Insert: {
          backup_bucket?: string | null
          contact_email?: string | null
          id?: boolean
          maintenance_notice?: string | null
          updated_at?: string
        }
        Update: {
          backup_bucket?: string | null
          contact_email?: string | null
          id?: boolean
          maintenance_notice?: string | null
          updated_at?: string
        }
        Relationships: []
      }
      usage_alerts: {
        Row: {
          created_at: string
          mailed_at: string | null
          minutes_limit: number
          percent: number
          period_start: string
          user_id: string
        }
        Insert: {
          created_at?: string
          mailed_at?: string | null
          minutes_limit: number
          percent: number
          period_start: string
          user_id: string
        }
        Update: {
          created_at?: string
          mailed_at?: string | null
          minutes_limit?: number
          percent?: number
          period_start?: string
          user_id?: string
        }
        Relationships: []
      }
      user_subscriptions: {
        Row: {
          admin_status: string | null
          billing_status: string
          cancel_at: string | null
          capped_cents: number | null
          capped_period: string | null
          card_hash: string | null
          card_period: string | null
          change_lease: string | null
          change_lease_expires_at: string | null
          current_period_end: string | null
          current_period_start: string | null
          ended_at: string | null
          first_paid_at: string | null
          minutes_limit: number
          next_attempt_at: string | null
          next_minutes: number | null
          next_plan: string | null
          next_price_cents: number | null
          onboarding_completed: boolean
          past_due_since: string | null
          plan: string
          plan_minutes: number | null
          price_cents: number | null
          spend_cap_cents: number | null
          status: string
          stripe_created_at: string | null
          stripe_customer_id: string | null
          stripe_status: string | null
          stripe_subscription_id: string | null
          sync_sequence: number
          updated_at: string
          user_id: string
        }
        Insert: {
          admin_status?: string | null
          billing_status: string
          cancel_at?: string | null
          capped_cents?: number | null
          capped_period?: string | null
          card_hash?: string | null
          card_period?: string | null
          change_lease?: string | null
          change_lease_expires_at?: string | null
          current_period_end?: string | null
          current_period_start?: string | null
          ended_at?: string | null
          first_paid_at?: string | null
          minutes_limit: number
          next_attempt_at?: string | null
          next_minutes?: number | null
          next_plan?: string | null
          next_price_cents?: number | null
          onboarding_completed?: boolean
          past_due_since?: string | null
          plan: string
          plan_minutes?: number | null
          price_cents?: number | null
          spend_cap_cents?: number | null
          status?: never
          stripe_created_at?: string | null
          stripe_customer_id?: string | null
          stripe_status?: string | null
          stripe_subscription_id?: string | null
          sync_sequence?: number
          updated_at?: string
          user_id: string
        }
        Update: {
          admin_status?: string | null
          billing_status?: string
          cancel_at?: string | null
          capped_cents?: number | null
          capped_period?: string | null
          card_hash?: string | null
          card_period?: string | null
          change_lease?: string | null
          change_lease_expires_at?: string | null
          current_period_end?: string | null
          current_period_start?: string | null
          ended_at?: string | null
          first_paid_at?: string | null
          minutes_limit?: number
          next_attempt_at?: string | null
          next_minutes?: number | null
          next_plan?: string | null
          next_price_cents?: number | null
          onboarding_completed?: boolean
          past_due_since?: string | null
          plan?: string
          plan_minutes?: number | null
          price_cents?: number | null
          spend_cap_cents?: number | null
          status?: never
          stripe_created_at?: string | null
          stripe_customer_id?: string | null
          stripe_status?: string | null
          stripe_subscription_id?: string | null
          sync_sequence?: number
          updated_at?: string
          user_id?: string
        }
        Relationships: []
      }
      users: {
        Row: { created_at: string; email: string; id: string }
        Insert: { created_at?: string; email: string; id: string }
        Update: { created_at?: string; email?: string; id?: string }
        Relationships: []
      }
      voice_agents: {
        Row: {
          account: string
          asked_at: string | null
          by_hand: boolean
          chosen_for: string[]
          compared_with: string | null
          created_at: string
          digest: string | null
          error: string | null
          given_back_at: string | null
          lines: number
          live_at: string | null
          name: string | null
          provider_id: string | null
          records_since: string | null
          stopped_at: string | null
          told_at: string | null
          tries: number
          user_id: string | null
          voice: string | null
          wanted_at: string
        }
        Insert: {
          account?: string
          asked_at?: string | null
          by_hand?: boolean
          chosen_for?: string[]
          compared_with?: string | null
          created_at?: string
          digest?: string | null
          error?: string | null
          given_back_at?: string | null
          lines?: number
          live_at?: string | null
          name?: string | null
          provider_id?: string | null
          records_since?: string | null
          stopped_at?: string | null
          told_at?: string | null
          tries?: number
          user_id?: string | null
          voice?: string | null
          wanted_at?: string
        }
        Update: {
          account?: string
          asked_at?: string | null
          by_hand?: boolean
          chosen_for?: string[]
          compared_with?: string | null
          created_at?: string
          digest?: string | null
          error?: string | null
          given_back_at?: string | null
          lines?: number
          live_at?: string | null
          name?: string | null
          provider_id?: string | null
          records_since?: string | null
          stopped_at?: string | null
          told_at?: string | null
          tries?: number
          user_id?: string | null
          voice?: string | null
          wanted_at?: string
        }
        Relationships: []
      }
      voice_sample_checks: {
        Row: {
          consent_version: string
          consented_at: string
          is_audio: boolean
          path: string
          user_id: string
        }
        Insert: {
          consent_version: string
          consented_at?: string
          is_audio: boolean
          path: string
          user_id: string
        }
        Update: {
          consent_version?: string
          consented_at?: string
          is_audio?: boolean
          path?: string
          user_id?: string
        }
        Relationships: []
      }
      webhook_deliveries: {
        Row: {
          created_at: string
          delivered_at: string | null
          endpoint_id: string
          event: string
          id: string
          next_try_at: string | null
          problem: string | null
          status: number | null
          subject: string | null
          tries: number
          user_id: string
        }
        Insert: {
          created_at?: string
          delivered_at?: string | null
          endpoint_id: string
          event: string
          id?: string
          next_try_at?: string | null
          problem?: string | null
          status?: number | null
          subject?: string | null
          tries?: number
          user_id: string
        }
        Update: {
          created_at?: string
          delivered_at?: string | null
          endpoint_id?: string
          event?: string
          id?: string
          next_try_at?: string | null
          problem?: string | null
          status?: number | null
          subject?: string | null
          tries?: number
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'webhook_deliveries_endpoint_id_fkey'
            columns: ['endpoint_id']
            isOneToOne: false
            referencedRelation: 'webhook_endpoints'
            referencedColumns: ['id']
          },
        ]
      }
      webhook_endpoints: {
        Row: {
          created_at: string
          disabled_at: string | null
          events: string[]
          failing_since: string | null
          id: string
          secret: string | null
          url: string
          user_id: string
          username: string | null
        }
        Insert: {
          created_at?: string
          disabled_at?: string | null
          events: string[]
          failing_since?: string | null
          id?: string
          secret?: string | null
          url: string
          user_id: string
          username?: string | null
        }
        Update: {
          created_at?: string
          disabled_at?: string | null
          events?: string[]
          failing_since?: string | null
          id?: string
          secret?: string | null
          url?: string
          user_id?: string
          username?: string | null
        }
        Relationships: []
      }
      webhook_events: {
        Row: {
          amount: number | null
          attempts: number
          billing_reason: string | null
          currency: string | null
          error: string | null
          handled_at: string | null
          id: string
          outcome: string | null
          received_at: string
          request_id: string | null
          stripe_customer_id: string | null
          stripe_subscription_id: string | null
          type: string
        }
        Insert: {
          amount?: number | null
          attempts?: number
          billing_reason?: string | null
          currency?: string | null
          error?: string | null
          handled_at?: string | null
          id: string
          outcome?: string | null
          received_at?: string
          request_id?: string | null
          stripe_customer_id?: string | null
          stripe_subscription_id?: string | null
          type: string
        }
        Update: {
          amount?: number | null
          attempts?: number
          billing_reason?: string | null
          currency?: string | null
          error?: string | null
          handled_at?: string | null
          id?: string
          outcome?: string | null
          received_at?: string
          request_id?: string | null
          stripe_customer_id?: string | null
          stripe_subscription_id?: string | null
          type?: string
        }
        Relationships: []
      }
    }
    Views: {
      payment_events: {
        Row: {
          amount: number | null
          attempts: number | null
          billing_reason: string | null
          currency: string | null
          email: string | null
          error: string | null
          handled_at: string | null
          has_failed: boolean | null
          id: string | null
          outcome: string | null
          received_at: string | null
          request_id: string | null
          stripe_customer_id: string | null
          stripe_subscription_id: string | null
          type: string | null
        }
        Relationships: []
      }
      subscription_overview: {
        Row: {
          cancel_at: string | null
          current_period_end: string | null
          grace_ends: string | null
          minutes_limit: number | null
          minutes_owed: number | null
          minutes_taken: number | null
          minutes_used: number | null
          next_attempt_at: string | null
          next_minutes: number | null
          next_plan: string | null
          next_price_cents: number | null
          onboarding_completed: boolean | null
          past_due_since: string | null
          plan: string | null
          plan_minutes: number | null
          price_cents: number | null
          status: string | null
          user_id: string | null
        }
        Relationships: []
      }
    }
    Functions: {
      accept_proposal: {
        Args: { p_booking: string | null }
        Returns: undefined
      }
      account_facts: {
        Args: { p_user_id: string | null }
        Returns: Json
      }
      account_of_agent: {
        Args: { p_agent: string | null }
        Returns: string
      }
      add_bought_number: {
        Args: { p_account: string | null; p_id: string | null; p_number: string | null }
        Returns: Json
      }
      add_my_booking: {
        Args: {
          p_offer: string | null
          p_name: string | null
          p_overbooks: boolean | null
          p_phone_number?: string | null
          p_email?: string | null
        }
        Returns: Json
      }
      add_phone_numbers: {
        Args: { p_numbers: readonly string[] | null; p_at_provider: boolean | null }
        Returns: number
      }
      admin_access: {
        Args: never
        Returns: string
      }
      admin_overview: {
        Args: never
        Returns: Json
      }
      agent_of_account: {
        Args: { p_account: string | null }
        Returns: Json
      }
      agent_to_test: {
        Args: { p_user_id: string | null; p_agent: string | null }
        Returns: Json
      }
      agent_to_try: {
        Args: { p_user_id: string | null }
        Returns: Json
      }
      agents_to_compare: {
        Args: { p_release: string | null }
        Returns: Json
      }
      ask_for_agent: {
        Args: { p_name: string | null }
        Returns: string
      }
      ask_for_line: {
        Args: { p_agent: string | null }
        Returns: string
      }
      assign_phone_number: {
        Args: { p_account: string | null; p_lines: number | null }
        Returns: Json
      }
      begin_account_deletion: {
        Args: { p_user_id: string | null }
        Returns: Json
      }
      begin_agent_update: {
        Args: { p_account: string | null }
        Returns: Json
      }
      begin_checkout: {
        Args: {
          p_email: string | null
          p_plan: string | null
          p_lease_seconds: number | null
          p_user_id?: string | null
        }
        Returns: Json
      }
      begin_subscription_change: {
        Args: { p_user_id: string | null; p_seconds: number | null; p_quote?: string | null }
        Returns: Json
      }
      begin_webhook_event: {
        Args: {
          p_id: string | null
          p_type: string | null
          p_subscription: string | null
          p_customer?: string | null
          p_amount?: number | null
          p_currency?: string | null
          p_billing_reason?: string | null
        }
        Returns: Json
      }
      billing_news: {
        Args: { p_user_id: string | null }
        Returns: Json
      }
      book_offer: {
        Args: { p: Payloads['book_payload'] | null }
        Returns: Json
      }
      booking_facts: {
        Args: { p_user_id: string | null; p_from: string | null; p_until: string | null }
        Returns: Json
      }
      bookings_of_caller: {
        Args: {
          p_user_id: string | null
          p_call: string | null
          p_caller: string | null
          p_code: string | null
        }
        Returns: Json
      }
      bookings_of_key: {
        Args: { p_key: string | null; p_after: string | null; p_limit: number | null }
        Returns: Json
      }
      calendar_event: {
        Args: { p_endpoint: string | null; p_booking: string | null }
        Returns: Json
      }
      calendar_of_key: {
        Args: { p_key: string | null }
        Returns: Json
      }
      calendars_due: {
        Args: never
        Returns: Json
      }
      calendars_to_read: {
        Args: { p_user_id: string | null; p_seconds: number | null }
        Returns: Json
      }
      call_overview: {
        Args: { p_time_zone: string | null }
        Returns: Json
      }
      caller_traces: {
        Args: { p_id: string | null }
        Returns: Json
      }
      calls_at_limit: {
        Args: { p_user_id: string | null }
        Returns: Json
      }
      calls_of_key: {
        Args: { p_key: string | null; p_after: string | null; p_limit: number | null }
        Returns: Json
      }
      cancel_all_and_block: {
        Args: { p_booking: string | null }
        Returns: undefined
      }
      cancel_booking: {
        Args: {
          p_user_id: string | null
          p_call: string | null
          p_booking: string | null
          p_is_trial: boolean | null
        }
        Returns: Json
      }
      cancel_my_booking: {
        Args: { p_booking: string | null }
        Returns: undefined
      }
      choose_for_plan: {
        Args: {
          p_plan: string | null
          p_agents: readonly string[] | null
          p_numbers: readonly string[] | null
        }
        Returns: string
      }
      claim_job: {
        Args: { p_kind: string | null; p_key: string | null; p_seconds: number | null }
        Returns: Json
      }
      claim_unpaid_checkout: {
        Args: { p_lease_seconds: number | null }
        Returns: Json
      }
      compare_with_quote: {
        Args: { p_quote: string | null; p: Payloads['upgrade_invoice_payload'] | null }
        Returns: undefined
      }
      connect_calendar: {
        Args: {
          p_url: string | null
          p_username?: string | null
          p_password?: string | null
          p_name?: string | null
        }
        Returns: string
      }
      cover_ring: {
        Args: { p_user_id: string | null; p_minutes: number | null; p_cents: number | null }
        Returns: number
      }
      create_api_key: {
        Args: { p_kind: string | null; p_name: string | null }
        Returns: string
      }
      create_lead: {
        Args: { p: Payloads['lead_payload'] | null }
        Returns: undefined
      }
      create_webhook: {
        Args: { p_url: string | null; p_events: readonly string[] | null }
        Returns: Json
      }
      credit_minutes: {
        Args: {
          p_user_id: string | null
          p_minutes: number | null
          p_note: string | null
          p_request: string | null
        }
        Returns: string
      }
      customer_margin: {
        Args: { p_user_id: string | null }
        Returns: {
          period_start: string
          period_end: string
          revenue: number
          cost: number
          calls: number
          uncosted: number
        }[]
      }
      decide_booking: {
        Args: { p_booking: string | null; p_confirms: boolean | null }
        Returns: boolean
      }
      delete_account: {
        Args: { p: Payloads['deletion_payload'] | null }
        Returns: string
      }
      due_call_mails: {
        Args: { p_token: string | null; p_is_daily: boolean | null }
        Returns: Json
      }
      due_dunning_mail: {
        Args: { p_invoice: string | null }
        Returns: Json
      }
      due_retention_mail: {
        Args: { p_user_id: string | null }
        Returns: Json
      }
      due_usage_alert: {
        Args: { p_user_id: string | null }
        Returns: Json
      }
      enable_webhook: {
        Args: { p_id: string | null }
        Returns: boolean
      }
      end_agent_update: {
        Args: {
          p_account: string | null
          p_claim: string | null
          p_provider_id: string | null
          p_live: string | null
          p_digest: string | null
          p_records: boolean | null
          p_error: string | null
        }
        Returns: boolean
      }
      end_callers_data: {
        Args: never
        Returns: boolean
      }
      end_checkout: {
        Args: {
          p_id: string | null
          p_lease: string | null
          p_changes?: Payloads['checkout_changes_payload'] | null
        }
        Returns: boolean
      }
      end_job: {
        Args: {
          p_kind: string | null
          p_key: string | null
          p_claim: string | null
          p_error: string | null
          p_wait: number | null
        }
        Returns: boolean
      }
      end_package: {
        Args: {
          p_id: string | null
          p_outcome: string | null
          p_item: string | null
          p_definite: boolean | null
        }
        Returns: boolean
      }
      end_subscription_change: {
        Args: { p_user_id: string | null; p_lease: string | null }
        Returns: undefined
      }
      end_webhook_event: {
        Args: { p_id: string | null; p_outcome: string | null; p_error: string | null }
        Returns: undefined
      }
      failing_webhooks: {
        Args: never
        Returns: {
          id: string
          user_id: string
          email: string
          host: string
          is_calendar: boolean
          failing_since: string
          disabled_at: string
          status: number
          problem: string
        }[]
      }
      flag_payment: {
        Args: { p: Payloads['payment_flag_payload'] | null }
        Returns: undefined
      }
      follow_calendar_event: {
        Args: {
          p_endpoint: string | null
          p_booking: string | null
          p_starts_at: string | null
          p_ends_at: string | null
          p_etag: string | null
        }
        Returns: undefined
      }
      follow_last_invoice: {
        Args: { p: Payloads['last_invoice_payload'] | null }
        Returns: string
      }
      forget_caller: {
        Args: { p_id: string | null; p_unblocks: boolean | null }
        Returns: Json
      }
      forget_talk: {
        Args: never
        Returns: number[]
      }
      free_line: {
        Args: { p_call: string | null; p_limit: string | null; p_outcome: string | null }
        Returns: undefined
      }
      give_account: {
        Args: { p_subscription: string | null }
        Returns: boolean
      }
      give_back: {
        Args: { p_agent: string | null; p_number?: string | null }
        Returns: string
      }
      give_phone_number: {
        Args: { p_account: string | null; p_number: string | null }
        Returns: string
      }
      given_up_jobs: {
        Args: never
        Returns: { kind: string; key: string; since: string; error: string }[]
      }
      has_stopped_call_mails: {
        Args: { p_token: string | null }
        Returns: boolean
      }
      health: {
        Args: never
        Returns: Json
      }
      invite_me: {
        Args: never
        Returns: string
      }
      is_admin: {
        Args: never
        Returns: boolean
      }
      is_entitled: {
        Args: { p_user_id: string | null }
        Returns: boolean
      }
      link_recipient: {
        Args: { p_user_id: string | null }
        Returns: Json
      }
      linked_booking: {
        Args: { p_booking: string | null }
        Returns: Json
      }
      list_agents: {
        Args: {
          p_search: string | null
          p_state: string | null
          p_limit: number | null
          p_offset: number | null
        }
        Returns: Json
      }
      list_calls: {
        Args: { p_search: string | null; p_limit: number | null; p_after?: string | null }
        Returns: Json
      }
      list_inbox: {
        Args: {
          p_is_done: boolean | null
          p_kind: string | null
          p_search: string | null
          p_limit: number | null
          p_after_waits?: boolean | null
          p_after_at?: string | null
          p_after?: string | null
        }
        Returns: Json
      }
      list_users: {
        Args: {
          p_search: string | null
          p_status: string | null
          p_limit: number | null
          p_offset: number | null
          p_order?: string | null
        }
        Returns: Json
      }
      make_admin: {
        Args: { p_user_id: string | null; p_needs_factor?: boolean | null }
        Returns: undefined
      }
      make_plan_quote: {
        Args: { p_user_id: string | null; p: Payloads['plan_quote_payload'] | null }
        Returns: Json
      }
      make_webhook_test: {
        Args: { p_user_id: string | null; p_endpoint: string | null }
        Returns: Json
      }
      mark_call: {
        Args: { p_call: string | null; p_kind: string | null }
        Returns: Json
      }
      move_booking: {
        Args: { p: Payloads['move_payload'] | null }
        Returns: Json
      }
      move_my_booking: {
        Args: { p_booking: string | null; p_offer: string | null; p_overbooks: boolean | null }
        Returns: Json
      }
      my_agent: {
        Args: never
        Returns: Json
      }
      my_busy_times: {
        Args: { p_from: string | null; p_until: string | null }
        Returns: { unit: string; starts_at: string; ends_at: string }[]
      }
      my_mails: {
        Args: never
        Returns: { kind: string; sent_at: string }[]
      }
      my_minutes: {
        Args: never
        Returns: Json
      }
      next_package: {
        Args: { p_user_id: string | null }
        Returns: Json
      }
      next_sync_sequence: {
        Args: never
        Returns: number
      }
      note_account: {
        Args: { p_user_id: string | null; p_note: string | null }
        Returns: boolean
      }
      note_agents_told: {
        Args: { p_accounts: readonly string[] | null }
        Returns: undefined
      }
      note_billing_told: {
        Args: {
          p_user_id: string | null
          p_version: number | null
          p_told: Payloads['billing_state_payload'] | null
        }
        Returns: undefined
      }
      note_calendar: {
        Args: { p: Payloads['read_calendar_payload'] | null }
        Returns: undefined
      }
      note_calendar_event: {
        Args: {
          p_endpoint: string | null
          p_booking: string | null
          p_starts_at: string | null
          p_ends_at: string | null
          p_etag: string | null
          p_problem: string | null
        }
        Returns: undefined
      }
      note_call_mail: {
        Args: { p_token: string | null; p_calls: readonly string[] | null }
        Returns: undefined
      }
      note_card: {
        Args: { p_subscription: string | null; p_card: string | null }
        Returns: undefined
      }
      note_compared: {
        Args: {
          p_release: string | null
          p_same: readonly string[] | null
          p_changed: readonly string[] | null
        }
        Returns: undefined
      }
      note_delivery: {
        Args: {
          p_id: string | null
          p_status: number | null
          p_problem: string | null
          p_wait: number | null
        }
        Returns: undefined
      }
      note_dunning_mail: {
        Args: { p_invoice: string | null; p_attempt: number | null }
        Returns: undefined
      }
      note_failed_renewal: {
        Args: { p: Payloads['failed_renewal_payload'] | null }
        Returns: undefined
      }
      note_graces: {
        Args: never
        Returns: undefined
      }
      note_heard: {
        Args: { p_call: string | null; p_is_done?: boolean | null }
        Returns: undefined
      }
      note_invoice_finding: {
        Args: { p_kind: string | null; p_invoice: string | null }
        Returns: undefined
      }
      note_kept_share: {
        Args: { p: Payloads['kept_share_payload'] | null }
        Returns: undefined
      }
      note_mail: {
        Args: { p_email: string | null; p_kind: string | null; p_provider_id: string | null }
        Returns: undefined
      }
      note_mailed_booking: {
        Args: { p_booking: string | null; p_state: string | null; p_starts_at: string | null }
        Returns: undefined
      }
      note_message_done: {
        Args: { p_message: string | null; p_is_done: boolean | null }
        Returns: undefined
      }
      note_question_done: {
        Args: { p_question: string | null; p_is_done: boolean | null }
        Returns: undefined
      }
      note_recording: {
        Args: { p_path: string | null; p_bytes: number | null }
        Returns: boolean
      }
      note_retention_mail: {
        Args: { p_user_id: string | null }
        Returns: undefined
      }
      note_stopped_agents: {
        Args: never
        Returns: undefined
      }
      note_told: {
        Args: { p_booking: string | null; p_is_done?: boolean | null }
        Returns: undefined
      }
      note_usage_alert: {
        Args: {
          p_user_id: string | null
          p_period_start: string | null
          p_limit: number | null
          p_percent: number | null
        }
        Returns: undefined
      }
      note_webhook_alarm: {
        Args: never
        Returns: undefined
      }
      open_parallel: {
        Args: { p_id: string | null; p_lease: string | null; p_card: string | null }
        Returns: Json
      }
      owing_accounts: {
        Args: never
        Returns: {
          invoice: string
          user_id: string
          email: string
          plan: string
          since: string
          grace_ends: string
          minutes: number
          amount: number
          currency: string
          next_attempt: string
          mailed_at: string
        }[]
      }
      plan_to_change: {
        Args: { p_user_id: string | null }
        Returns: Json
      }
      purge_old_recordings: {
        Args: never
        Returns: undefined
      }
      put_event_back: {
        Args: { p_booking: string | null }
        Returns: undefined
      }
      quoted_moments: {
        Args: { p_subscription: string | null }
        Returns: Json
      }
      read_call: {
        Args: { p_call: string | null }
        Returns: Json
      }
      reconciliation_cursor: {
        Args: never
        Returns: string
      }
      record_checkout: {
        Args: {
          p_id: string | null
          p_lease: string | null
          p_changes: Payloads['checkout_changes_payload'] | null
        }
        Returns: boolean
      }
      record_findings: {
        Args: { p_orphans: readonly Payloads['orphan_payload'][] | null }
        Returns: { kind: string; subject: string; is_new: boolean }[]
      }
      record_voice_sample_check: {
        Args: {
          p_user_id: string | null
          p_path: string | null
          p_is_audio: boolean | null
          p_consent_version: string | null
        }
        Returns: undefined
      }
      recording_to_keep: {
        Args: { p_call: string | null }
        Returns: string
      }
      release_given_back: {
        Args: { p_account: string | null; p_number: string | null }
        Returns: undefined
      }
      remove_old_messages: {
        Args: never
        Returns: undefined
      }
      remove_phone_number: {
        Args: { p_number: string | null }
        Returns: boolean
      }
      remove_unpaid_attempts: {
        Args: never
        Returns: number
      }
      remove_unpaid_checkout: {
        Args: { p_id: string | null; p_lease: string | null; p_customers: readonly string[] | null }
        Returns: boolean
      }
      report_call: {
        Args: { p: Payloads['call_report_payload'] | null }
        Returns: string
      }
      report_failed_publication: {
        Args: { p_problem: string | null }
        Returns: undefined
      }
      request_link: {
        Args: { p_email: string | null; p_mail: string | null }
        Returns: string
      }
      request_publication: {
        Args: never
        Returns: undefined
      }
      reserve_package: {
        Args: {
          p_user_id: string | null
          p_request: string | null
          p_minutes: number | null
          p_cents: number | null
        }
        Returns: string
      }
      reserve_talk: {
        Args: {
          p_payer: string | null
          p_place: string | null
          p_address: string | null
          p_conversation: string | null
          p_micros: number | null
        }
        Returns: Json
      }
      resolve_invoice_finding: {
        Args: { p_invoice: string | null }
        Returns: undefined
      }
      retry_given_up_job: {
        Args: { p_kind: string | null; p_key: string | null }
        Returns: boolean
      }
      retry_job: {
        Args: { p_kind: string | null; p_key: string | null }
        Returns: boolean
      }
      ring_facts: {
        Args: { p_number: string | null; p_caller: string | null; p_call?: string | null }
        Returns: Json
      }
      run_clock: {
        Args: { p_recurring: readonly string[] | null }
        Returns: string[]
      }
      schema_fingerprints: {
        Args: never
        Returns: Json
      }
      set_admin_status: {
        Args: {
          p_user_id: string | null
          p_status: string | null
          p_expected: string | null
          p_reason?: string | null
        }
        Returns: Json
      }
      set_agent_live: {
        Args: { p_account: string | null; p_wanted_at: string | null }
        Returns: string
      }
      set_agent_removed: {
        Args: { p_account: string | null }
        Returns: string
      }
      set_reconciliation_cursor: {
        Args: { p_after: string | null }
        Returns: undefined
      }
      settle_talk: {
        Args: {
          p_id: number | null
          p_micros: number | null
          p_input: number | null
          p_output: number | null
        }
        Returns: undefined
      }
      silent_calendar: {
        Args: { p_calendar: string | null }
        Returns: Json
      }
      stop_call_mails: {
        Args: { p_token: string | null }
        Returns: undefined
      }
      subscriptions_in_doubt: {
        Args: { p_limit: number | null }
        Returns: string[]
      }
      switched_off: {
        Args: { p_endpoint: string | null }
        Returns: Json
      }
      sync_subscription: {
        Args: { p: Payloads['subscription_payload'] | null }
        Returns: Json
      }
      take_back: {
        Args: { p_agent: string | null; p_number?: string | null }
        Returns: string
      }
      take_message: {
        Args: { p: Payloads['message_payload'] | null }
        Returns: undefined
      }
      take_phone_number: {
        Args: { p_account: string | null; p_number: string | null }
        Returns: string
      }
      take_rate_limit: {
        Args: { p_name: string | null; p_address: string | null; p_subject: string | null }
        Returns: number
      }
      talk_usage: {
        Args: never
        Returns: {
          day: string
          payer: string
          place: string
          conversations: number
          requests: number
          open: number
          micros: number
        }[]
      }
      unclaimed_payments: {
        Args: never
        Returns: {
          checkout_id: string
          email: string
          plan: string
          stripe_subscription_id: string
          paid_at: string
          link_mailed: boolean
        }[]
      }
      unknown_subscriptions: {
        Args: { p_ids: readonly string[] | null }
        Returns: string[]
      }
      unmark_call: {
        Args: { p_call: string | null }
        Returns: number
      }
      unreported_calls: {
        Args: { p_ids: readonly string[] | null }
        Returns: string[]
      }
      use_plan_quote: {
        Args: { p_quote: string | null; p_lease: string | null }
        Returns: boolean
      }
      waiting_agents: {
        Args: never
        Returns: Json
      }
      waiting_delivery: {
        Args: { p_id: string | null }
        Returns: Json
      }
      want_recording: {
        Args: { p_call: string | null; p_agent: string | null }
        Returns: boolean
      }
      want_voice_agent: {
        Args: { p_user_id: string | null }
        Returns: string[]
      }
      webhook_silence: {
        Args: never
        Returns: { last_event: string; hours: number }[]
      }
      write_offers: {
        Args: { p: Payloads['offers_payload'] | null }
        Returns: undefined
      }
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}

/** The jsonb arguments of functions, key by key (SQL: `private.check_payload`). */
export type Payloads = {
  account_link_payload: { mail: string | null }
  asked_question_payload: { key: string | null; question: string | null }
  billing_state_payload: {
    subscription: string | null
    is_blocked: boolean | null
    has_ended: boolean | null
    is_owing: boolean | null
    plan: string | null
    price: number | null
    minutes: number | null
    next_plan: string | null
    next_price: number | null
    next_minutes: number | null
    period_end: string | null
    ends_at: string | null
    upgrade: string | null
    bought: Payloads['bought_packages_payload'] | null
    spent: number | null
    most: number | null
    ceiling: number | null
    waiting: number | null
    is_capped: boolean | null
    grace: string | null
    grace_ends: string | null
    number_days: number | null
  }
  book_payload: {
    user_id: string | null
    call: string | null
    caller: string | null
    offer: string | null
    name: string | null
    email: string | null
    is_trial: boolean | null
  }
  bought_packages_payload: { packages: number | null; minutes: number | null; cents: number | null }
  call_report_payload: {
    user_id: string | null
    call_id: string | null
    kind: string | null
    direction: string | null
    phone_number: string | null
    started_at: string | null
    seconds: number | null
    about: string | null
    outcome: string | null
    sentiment: string | null
    succeeded: boolean | null
    limited_by: string | null
    transcript: string | null
    promised: string | null
    cost_cents: number | null
    questions?: readonly Payloads['asked_question_payload'][] | null | undefined
  }
  checkout_changes_payload: {
    plan?: string | null | undefined
    user_id?: string | null | undefined
    stripe_customer_id?: string | null | undefined
    stripe_subscription_id?: string | null | undefined
    state?: string | null | undefined
  }
  deletion_mail_payload: { email: string | null; plans: readonly string[] | null; charged: number | null }
  deletion_payload: {
    user_id: string | null
    customers: readonly string[] | null
    subscriptions: readonly string[] | null
    mail: Payloads['deletion_mail_payload'] | null
  }
  failed_renewal_payload: {
    invoice: string | null
    attempt: number | null
    customer: string | null
    amount: number | null
    currency: string | null
    card: string | null
    needs_action: boolean | null
    next_attempt: string | null
  }
  invoice_item_payload: {
    item: string | null
    invoice: string | null
    status: string | null
    reason: string | null
  }
  invoice_line_payload: {
    amount: number | null
    price: string | null
    start: number | null
    end: number | null
  }
  kept_share_payload: {
    invoice: string | null
    subscription: string | null
    paid_at: string | null
    share: number | null
    sequence: number | null
  }
  last_invoice_payload: {
    customer: string | null
    packages: readonly Payloads['invoice_item_payload'][] | null
  }
  lead_payload: {
    id: string | null
    kind: string | null
    name: string | null
    email: string | null
    phone: string | null
    wish: string | null
    page: string | null
  }
  message_payload: {
    user_id: string | null
    call: string | null
    name: string | null
    phone_number: string | null
    about: string | null
    message: string | null
    is_urgent: boolean | null
  }
  move_payload: {
    user_id: string | null
    call: string | null
    booking: string | null
    offer: string | null
    is_trial: boolean | null
  }
  offered_time_payload: {
    id: string | null
    starts_at: string | null
    ends_at: string | null
    taken_from: string | null
    taken_until: string | null
    units: readonly string[] | null
  }
  offers_payload: {
    user_id: string | null
    call: string | null
    bookable: string | null
    about: string | null
    people: number | null
    version: string | null
    times: readonly Payloads['offered_time_payload'][] | null
  }
  orphan_payload: { subscription: string | null; checkout: string | null }
  own_event_payload: { uid: string | null; starts_at: string | null; ends_at: string | null }
  payment_flag_payload: {
    kind: string | null
    stripe_id: string | null
    charge: string | null
    amount: number | null
    currency: string | null
    status: string | null
    reason: string | null
    customer: string | null
    event: string | null
  }
  plan_grant_payload: {
    source: string | null
    invoice: string | null
    price: string | null
    minutes: number | null
    plan: string | null
    unit_amount: number | null
    plan_minutes: number | null
    amount: number | null
    period_start: string | null
    valid_from: string | null
    valid_to: string | null
    state: string | null
  }
  plan_quote_payload: {
    subscription: string | null
    plan: string | null
    price: string | null
    proration_date: number | null
    amount_due: number | null
    starting_balance: number | null
    total: number | null
    tax: number | null
    currency: string | null
    lines: readonly Payloads['invoice_line_payload'][] | null
  }
  purge_payload: { path: string | null; reason: string | null }
  read_calendar_payload: {
    calendar: string | null
    asked_at: string | null
    problem: string | null
    busy: readonly string[] | null
    own: readonly Payloads['own_event_payload'][] | null
  }
  subscription_payload: {
    sequence: number | null
    user_id: string | null
    checkout_id: string | null
    customer: string | null
    subscription: string | null
    paid: boolean | null
    stripe_status: string | null
    billing_status: string | null
    plan: string | null
    price_cents: number | null
    next_minutes: number | null
    created: string | null
    period_start: string | null
    period_end: string | null
    cancel_at: string | null
    ended: string | null
    next_attempt: string | null
    invoices: readonly string[] | null
    packages: readonly Payloads['invoice_item_payload'][] | null
    grants: readonly Payloads['plan_grant_payload'][] | null
  }
  upgrade_invoice_payload: {
    invoice: string | null
    amount_due: number | null
    starting_balance: number | null
    total: number | null
    tax: number | null
    currency: string | null
    lines: readonly Payloads['invoice_line_payload'][] | null
  }
}

type PublicSchema = Database['public']
export type Tables<Name extends keyof (PublicSchema['Tables'] & PublicSchema['Views'])> =
  (PublicSchema['Tables'] & PublicSchema['Views'])[Name]['Row']
export type TablesInsert<Name extends keyof PublicSchema['Tables']> = PublicSchema['Tables'][Name]['Insert']
export type TablesUpdate<Name extends keyof PublicSchema['Tables']> = PublicSchema['Tables'][Name]['Update']
